import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '#db/client.ts';
import { formatPosition, type Snapshot } from '#shared/live.ts';
import { digestOf } from './events.ts';

/** Most ids of events without a position that are sent along, for pages of the previous version, which need them. */
const MAX_SEEN = 200;

type Position = { epoch: string; g: string; hash: string | null; visible: string; seen: string[] };

/**
 * Reads data and the position it stands for in one transaction (rule J1). The data includes exactly the events up to
 * `asOf` and those of the transactions in `visible`, even if these have no position yet.
 * @param read reads everything in the answer, through the given transaction
 */
export async function snapshot<T>(
  services: { db: Database },
  read: (tx: Transaction) => Promise<T>,
): Promise<Snapshot<T>> {
  return services.db.transaction(
    async (tx): Promise<Snapshot<T>> => {
      // A generic plan for any filter and page is bad for every list, so each statement of a snapshot is planned for
      // its values.
      const [position] = await tx.execute<Position>(
        sql`select h.epoch::text, h.g::text, (select encode(hash, 'hex') from events where g = h.g) as hash,
          pg_current_snapshot()::text as visible,
          outbox_waiting(${MAX_SEEN})::text[] as seen, set_config('plan_cache_mode', 'force_custom_plan', true)
          from stream_position() h`,
      );
      if (position === undefined) throw new Error('stream_head has no row: the database is not migrated');
      return {
        asOf: formatPosition({ epoch: position.epoch, g: Number(position.g) }),
        digest: digestOf(position.hash),
        visible: position.visible,
        seen: position.seen,
        data: await read(tx),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
