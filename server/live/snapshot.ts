import { sql } from 'drizzle-orm';
import { type Database, inTransaction, type Transaction } from '#db/client.ts';
import { type Given, sqlStatement } from '#db/statement.ts';
import { formatPosition, type Snapshot } from '#shared/live.ts';
import { digestOf } from './events.ts';

/** Most ids of events without a position that are sent along, for pages of the previous version, which need them. */
const MAX_SEEN = 200;

type Position = {
  epoch: string;
  g: string;
  hash: string | null;
  visible: string;
  seen: string[];
  /** The version of the access of the person who asks; null without such a person. */
  access: number | null;
};

/** The access of the person who asks, as it was read before the snapshot. */
export type SnapshotAccess = {
  userId: string;
  version: number;
  /** Set by a snapshot whose own state has this version: what it reads for the person needs no further look. */
  proven: boolean;
};

/**
 * Whether each statement is planned for its values, or plans are kept. A generic plan for any filter and page is bad for
 * every list; for a few rows found by an index, planning costs more than reading.
 */
type Plans = 'forValues' | 'kept';
const PLAN_MODES: Readonly<Record<Plans, string>> = { forValues: 'force_custom_plan', kept: 'auto' };

/** In the snapshot the person has another access than the one under which it was to be read. */
export class AccessChangedError extends Error {
  constructor() {
    super('the access of the person who asks has changed');
  }
}

const readPosition = sqlStatement(
  (given: Given<{ userId: string | null }>, plans: Plans) => sql<Position>`
    select h.epoch::text, h.g::text, (select encode(hash, 'hex') from events where g = h.g) as hash,
      pg_current_snapshot()::text as visible, outbox_waiting(${sql.raw(String(MAX_SEEN))})::text[] as seen,
      (select version from profiles where id = ${given.userId}::uuid) as access,
      set_config('plan_cache_mode', ${sql.raw(`'${PLAN_MODES[plans]}'`)}, true)
    from stream_position() h`,
);

/**
 * Reads data and the position it stands for in one transaction (rule J1). The data includes exactly the events up to
 * `asOf` and those of the transactions in `visible`, even if these have no position yet.
 * @param ctx.access checked in the same snapshot; absent where everybody gets the same answer
 * @param read reads everything in the answer, through the given transaction. Its first statement is sent together with
 *   the one that reads the position
 * @param options.plans `kept` for statements whose best plan does not depend on their values
 * @throws AccessChangedError if the person has another access in the snapshot; `ctx` was read before it
 */
export function snapshot<T>(
  ctx: { services: { db: Database }; access?: SnapshotAccess | undefined },
  read: (tx: Transaction) => Promise<T>,
  { plans = 'forValues' }: { plans?: Plans } = {},
): Promise<Snapshot<T>> {
  return new Promise((resolve, reject) => {
    inTransaction(
      ctx.services.db,
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
      // Answers before the commit, on which nothing depends.
      async (tx) => resolve(await readBoth(tx, ctx.access, plans, read)),
    ).catch(reject);
  });
}

async function readBoth<T>(
  tx: Transaction,
  access: SnapshotAccess | undefined,
  plans: Plans,
  read: (tx: Transaction) => Promise<T>,
): Promise<Snapshot<T>> {
  const [found, data] = await Promise.allSettled([
    readPosition(tx, { userId: access?.userId ?? null }, plans),
    read(tx),
  ]);
  if (found.status === 'rejected') throw found.reason;
  const [position] = found.value;
  if (position === undefined) throw new Error('stream_head has no row: the database is not migrated');
  if (access !== undefined) {
    // Before a refusal, which may be one of the earlier access.
    if (position.access !== access.version) throw new AccessChangedError();
    access.proven = true;
  }
  if (data.status === 'rejected') throw data.reason;
  return {
    asOf: formatPosition({ epoch: position.epoch, g: Number(position.g) }),
    digest: digestOf(position.hash),
    visible: position.visible,
    seen: position.seen,
    data: data.value,
  };
}
