import postgres, { type Sql } from 'postgres';
import { uuidv7 } from '#shared/ids.ts';
import { pause } from '#tests/support/pace.ts';
import type { Building } from '#tests/support/rows/population.ts';

/** Publishes events as a command of another process would, at the least cost. */
export type Publisher = {
  /** Publishes one event after the other, each sequenced separately. */
  oneByOne(building: Building, times: number, everyMs: number): Promise<void>;
  /** Publishes by this number of concurrent writers, as fast as they can, until all events are written. */
  underLoad(building: Building, times: number, writers: number): Promise<void>;
  close(): Promise<void>;
};

export function createPublisher(databaseUrl: string): Publisher {
  const sql = postgres(databaseUrl, { max: 16, onnotice: () => undefined });
  return {
    async oneByOne(building, times, everyMs) {
      for (let written = 0; written < times; written += 1) {
        await insert(sql, building);
        await sql`select n from sequence_events()`;
        await pause(everyMs);
      }
    },
    async underLoad(building, times, writers) {
      let left = times;
      let writing = writers;
      const writer = async () => {
        while (left > 0) {
          left -= 1;
          await insert(sql, building);
        }
        writing -= 1;
      };
      // Sequencing runs beside the writing, one call at a time, as in a server process.
      const order = async () => {
        for (let n = 1; writing > 0 || n > 0; ) {
          const [moved] = await sql<{ n: number }[]>`select n from sequence_events()`;
          n = moved?.n ?? 0;
          await pause(1);
        }
      };
      await Promise.all([...Array.from({ length: writers }, writer), order()]);
    },
    close: () => sql.end({ timeout: 5 }),
  };
}

async function insert(sql: Sql, building: Building): Promise<void> {
  const id = uuidv7();
  const now = new Date().toISOString();
  const row = {
    id,
    referenceNumber: `${building.code}-0142`,
    buildingId: building.id,
    buildingName: building.name,
    title: 'Water stain on the ceiling of the second floor',
    description: 'Above the third window from the lift, the size of a plate. Getting larger since Monday.',
    status: 'in_progress',
    priority: 'high',
    source: 'person',
    reportedBy: id,
    reportedByName: 'Margaret Hale',
    reportedByKey: null,
    assignedTo: id,
    assignedToName: 'John Thornton',
    createdAt: now,
    updatedAt: now,
    resolvedAt: null,
    respondedAt: now,
    respondDueAt: now,
    resolveDueAt: now,
    pauseReason: null,
    pausedAt: null,
    acknowledgedAt: null,
    acknowledgedByName: null,
    version: 2,
  };
  await sql`
    insert into outbox (stream, at, actor, command, entity, entity_id, op, version, operation_id, permission,
      buildings, persons, payload)
    values (${`building:${building.id}`}, ${now}, ${id}, 'issues.update', 'issue', ${id}, 'put', 2, ${id},
      'view_building_issues', ${[building.id]}::uuid[], '{}',
      ${JSON.stringify({ row, changes: { status: ['open', 'in_progress'] } })})`;
}
