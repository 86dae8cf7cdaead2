import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '#db/client.ts';
import { formatPosition, type Snapshot } from '#shared/live.ts';
import { digestOf } from './events.ts';

/** Pages of the version before are told this many changes that have no position yet, by their ids. */
const MAX_SEEN = 200;

type Position = { epoch: string; g: string; hash: string | null; visible: string; seen: string[] };

/**
 * Reads in one transaction the data and the position that it stands for (rule J1): the data holds exactly the events
 * up to `asOf` and those of the transactions that are `visible` to it, however many wait for their order.
 * @param read everything that the answer is made of, through the transaction that it is given
 */
export async function snapshot<T>(
  services: { db: Database },
  read: (tx: Transaction) => Promise<T>,
): Promise<Snapshot<T>> {
  return services.db.transaction(
    async (tx): Promise<Snapshot<T>> => {
      // A plan made for any filter and any page would serve no list well: those of a snapshot are made for it.
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
