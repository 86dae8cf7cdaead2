import { sql } from 'drizzle-orm';
import { type Database, inTransaction, type Queryable, type Transaction } from '#db/client.ts';
import {
  type Buildable,
  type FormOf,
  type Given,
  type OneRow,
  selectOne,
  sqlStatement,
  statementBeside,
} from '#db/statement.ts';
import { formatPosition, type Snapshot } from '#shared/live/live.ts';
import { type Claimed, type Credential, provenVersion } from '../adapters/auth/proof.ts';
import { digestOf } from './events.ts';

type Position = {
  epoch: string;
  g: string;
  hash: string | null;
  visible: string;
  /** The version of the caller's access; null if the caller is not a person. */
  access: number | null;
};

/** The access of the caller, as it was read before the snapshot. */
export type SnapshotAccess = {
  userId: string;
  /** The hash of the credential, if the caller was taken from memory and is not proven yet (`../adapters/auth/proof.ts`). */
  tokenHash: string | null;
  credential: Credential;
  version: number;
  /** Set to true by a snapshot in which the access has this version: its data needs no further check. */
  proven: boolean;
};

/**
 * Whether Postgres plans each statement for its values, or may reuse a plan. For lists, one plan for every filter and page is
 * slow; for a few rows found by an index, planning costs more than reading.
 */
type Plans = 'forValues' | 'kept';
const PLAN_MODES: Readonly<Record<Plans, string>> = { forValues: 'force_custom_plan', kept: 'auto' };

/** In the snapshot, the caller's access differs from the access with which the data were read. */
export class AccessChangedError extends Error {
  constructor() {
    super('the access of the person who asks has changed');
  }
}

const positionFor = (caller: Given<Claimed>, credential: Credential = 'session'): OneRow<Position> => ({
  columns: {
    epoch: sql`h.epoch::text`,
    g: sql`h.g::text`,
    hash: sql`(select encode(hash, 'hex') from events where g = h.g)`,
    visible: sql`pg_current_snapshot()::text`,
    access: provenVersion(caller, credential),
  },
  from: sql`stream_position() h`,
});

type PositionForm = `${Plans} ${Credential}`;
const readPosition = sqlStatement((given: Given<Claimed>, form: PositionForm) => {
  // The casts: the two parts of the form.
  const [plans, credential] = form.split(' ') as [Plans, Credential];
  const { columns, from } = positionFor(given, credential);
  const mode = sql`set_config('plan_cache_mode', ${sql.raw(`'${PLAN_MODES[plans]}'`)}, true)`;
  return selectOne({ columns: { ...columns, mode }, from });
});

type SnapshotContext = { services: { db: Database }; access?: SnapshotAccess | undefined };

/**
 * Reads data and the position of their state in one transaction (rule J1). The data include exactly the events up to `asOf`
 * and those of the transactions in `visible`, even if these have no position yet.
 * @param ctx.access checked in the same snapshot; absent if everybody gets the same answer
 * @param read reads everything in the answer, through the given transaction. Its first statement is sent together with the one
 *   that reads the position
 * @param options.plans `kept` for statements whose best plan does not depend on their values
 * @throws AccessChangedError if the person's access in the snapshot is not that of `ctx`, which was read before
 */
export function snapshot<T>(
  ctx: SnapshotContext,
  read: (tx: Transaction) => Promise<T>,
  { plans = 'forValues' }: { plans?: Plans } = {},
): Promise<Snapshot<T>> {
  return new Promise((resolve, reject) => {
    inTransaction(
      ctx.services.db,
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
      // Resolves before the commit: nothing depends on the commit of a read.
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
  const form: PositionForm = `${plans} ${access?.credential ?? 'session'}`;
  const [found, data] = await Promise.allSettled([readPosition(tx, claimedBy(access), form), read(tx)]);
  if (found.status === 'rejected') throw found.reason;
  const [position] = found.value;
  if (position === undefined) throw notMigrated();
  // Checked before an error of the data is thrown, because the error may be a refusal under the outdated access.
  prove(access, position);
  if (data.status === 'rejected') throw data.reason;
  return at(position, data.value);
}

function claimedBy(access: SnapshotAccess | undefined): Claimed {
  return { callerId: access?.userId ?? null, callerToken: access?.tokenHash ?? null };
}

function notMigrated(): Error {
  return new Error('stream_head has no row: the database is not migrated');
}

function prove(access: SnapshotAccess | undefined, position: Position): void {
  if (access === undefined) return;
  if (position.access !== access.version) throw new AccessChangedError();
  access.proven = true;
}

function at<T>({ epoch, g, hash, visible }: Position, data: T): Snapshot<T> {
  return { asOf: formatPosition({ epoch, g: Number(g) }), digest: digestOf(hash), visible, data };
}

/**
 * A snapshot of the rows of one statement, without a transaction: a third of the round trips and statements. Only for answers
 * of few rows, in any order, whose plan does not depend on the values. It proves a caller from memory only by the session:
 * with a key of the API the first try fails, and the key is read before the second try.
 * @param build as for `statement`
 * @returns a function that takes the snapshot; it throws as `snapshot` does
 */
export function snapshotStatement<Values extends Record<string, unknown>, Rows, Form = undefined>(
  build: (db: Queryable, given: Given<Values>, form: Form) => Buildable<Rows>,
): (ctx: SnapshotContext, values: Values, ...form: FormOf<Form>) => Promise<Snapshot<Rows>> {
  const run = statementBeside(build, positionFor);
  return async ({ services, access }, values, ...form) => {
    const { rows, other } = await run(services.db, { ...values, ...claimedBy(access) }, ...form);
    if (other === undefined) throw notMigrated();
    prove(access, other);
    return at(other, rows);
  };
}
