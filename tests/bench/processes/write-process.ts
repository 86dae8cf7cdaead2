import { eq, sql as raw } from 'drizzle-orm';
import { connect, type DatabaseClient } from '#db/client.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { recorder } from '#server/kernel/recorder.ts';
import { createSequencer, type Sequencer } from '#server/live/sequencer.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';

// Writers in a process of their own: the same update of a row, alone, or with its event and the hash chain.

let client: DatabaseClient | undefined;
let sequencer: Sequencer | undefined;

const handlers = {
  open(input: { databaseUrl: string; writers: number }) {
    client = connect(input.databaseUrl, { max: input.writers + 2 });
    sequencer = createSequencer({ sql: client.sql, log: console });
  },
  /**
   * Writes as fast as it can.
   * @returns changes per second, including their sequencing if they have events
   */
  async run(input: { rows: string[]; row: Issue; writers: number; seconds: number; withEvent: boolean }) {
    const database = client;
    const order = sequencer;
    if (database === undefined || order === undefined) throw new Error('open first');
    const start = performance.now();
    const end = start + input.seconds * 1_000;
    let written = 0;
    const writer = async () => {
      while (performance.now() < end) {
        const id = input.rows[written % input.rows.length] ?? '';
        written += 1;
        const operationId = uuidv7();
        const title = `Lamp ${operationId} is out`;
        await database.db.transaction(async (tx) => {
          const [changed] = await tx
            .update(buildingIssues)
            .set({ title, version: raw`${buildingIssues.version} + 1` })
            .where(eq(buildingIssues.id, id))
            .returning({ version: buildingIssues.version });
          if (!input.withEvent || changed === undefined) return;
          const origin = { command: 'issues.update', actor: null, operationId, at: new Date().toISOString() };
          await recorder(tx, origin).record({
            entity: 'issue',
            op: 'put',
            row: { ...input.row, id, title, version: changed.version },
            changes: { title: [input.row.title, title] },
          });
        });
        if (input.withEvent) order.schedule();
      }
    };
    await Promise.all(Array.from({ length: input.writers }, writer));
    if (input.withEvent) await order.settled();
    return written / ((performance.now() - start) / 1_000);
  },
} satisfies Handlers;
export type WriteHandlers = typeof handlers;

serve(handlers);
