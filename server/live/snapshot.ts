import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '#db/client.ts';
import { formatPosition, type Snapshot } from '#shared/live.ts';
import { digestOf } from './events.ts';

/** More committed changes without a position than this are put in order before the snapshot is taken (rule J1). */
const MAX_SEEN = 200;
/** Under a storm of writes the outbox may never be short; then the answer carries what it carries. */
const TRIES = 3;

type Position = { epoch: string; g: string; hash: string | null; seen: string[] };

/**
 * Reads in one transaction the data and the position that it stands for (rule J1): the data holds exactly the events
 * up to `asOf` and those named in `seen`.
 * @param read everything that the answer is made of, through the transaction that it is given
 */
export async function snapshot<T>(
  services: { db: Database },
  read: (tx: Transaction) => Promise<T>,
): Promise<Snapshot<T>> {
  for (let left = TRIES; ; left -= 1) {
    const answer = await services.db.transaction(
      async (tx): Promise<Snapshot<T> | undefined> => {
        // A plan made for any filter and any page would serve no list well: those of a snapshot are made for it.
        const [position] = await tx.execute<Position>(
          sql`select epoch::text, g::text, (select encode(hash, 'hex') from events where g = stream_head.g) as hash,
            array(select id::text from outbox order by id) as seen,
            set_config('plan_cache_mode', 'force_custom_plan', true) from stream_head`,
        );
        if (position === undefined) throw new Error('stream_head has no row: the database is not migrated');
        if (position.seen.length > MAX_SEEN && left > 0) return undefined;
        return {
          asOf: formatPosition({ epoch: position.epoch, g: Number(position.g) }),
          digest: digestOf(position.hash),
          seen: position.seen,
          data: await read(tx),
        };
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
    if (answer !== undefined) return answer;
    await sequenceAll(services.db);
  }
}

async function sequenceAll(db: Database): Promise<void> {
  for (let calls = 0; calls < 50; calls += 1) {
    const [moved] = await db.execute<{ n: number }>(sql`select n from sequence_events()`);
    if (moved === undefined || moved.n === 0) return;
  }
}
