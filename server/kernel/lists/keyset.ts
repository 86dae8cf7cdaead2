import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { AppError } from '#shared/errors.ts';

type KeyType = 'text' | 'uuid' | 'date' | 'timestamptz' | 'bigint';

/** An SQL expression that sorts a list, and its type. It must match the expression of its index exactly. */
export type SortKey = { of: SQL; type: KeyType };

/**
 * The order of a list in pages: its sort keys, most significant first, and the id that breaks ties. All go in one
 * direction, so that an index read forwards or backwards gives the order.
 */
export type Keyset = { keys: readonly SortKey[]; id: SQLWrapper; direction: 'asc' | 'desc' };

/** SQL for the order of the rows. */
export function orderBy({ keys, id, direction }: Keyset): SQL[] {
  return [...keys.map(({ of }) => of), id].map((of) => sql`${of} ${sql.raw(direction)}`);
}

const UNINDEXED: Readonly<Record<KeyType, SQL>> = {
  text: sql`|| ''`,
  uuid: sql``,
  date: sql`+ 0`,
  timestamptz: sql`+ interval '0'`,
  bigint: sql`+ 0`,
};

/** The same order, written so that no index matches and Postgres sorts the rows that it has filtered. */
export function sortedOrderBy({ keys, ...rest }: Keyset): SQL[] {
  return orderBy({
    keys: keys.map(({ of, type }) => ({ of: sql`${of} ${UNINDEXED[type]}`, type })),
    ...rest,
  });
}

/** SQL for a row's sort keys as text, for the cursor of the next page. */
export function cursorKeys({ keys }: Pick<Keyset, 'keys'>): SQL<string[]> {
  const texts = keys.map(({ of, type }) =>
    // In UTC, whatever the connection's time zone.
    type === 'timestamptz'
      ? sql`to_char(${of} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : sql`(${of})::text`,
  );
  return sql<string[]>`array[${sql.join(texts, sql`, `)}]`;
}

/**
 * SQL condition for rows after a cursor.
 * @throws AppError `invalid` if the cursor belongs to another order
 */
export function whereAfter(
  { keys, id, direction }: Keyset,
  cursor: { keys: readonly string[]; id: string },
): SQL {
  const valid =
    cursor.keys.length === keys.length &&
    keys.every(({ type }, index) => isValidKey(type, cursor.keys[index] ?? ''));
  if (!valid) throw new AppError('invalid', { data: { fields: {} } });
  const mine = sql.join([...keys.map(({ of }) => of), id], sql`, `);
  const theirs = sql.join(
    [...keys.map(({ type }, index) => sql`${cursor.keys[index]}::${sql.raw(type)}`), sql`${cursor.id}::uuid`],
    sql`, `,
  );
  return sql`(${mine}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${theirs})`;
}

/** Cursors come from browsers, so a key that Postgres cannot read must not become an error of the server. */
function isValidKey(type: KeyType, key: string): boolean {
  switch (type) {
    case 'text':
      return true;
    case 'uuid':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key);
    case 'bigint':
      return /^\d{1,18}$/.test(key);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(key) && key >= '0001-01-01' && isInstant(`${key}T00:00:00.000Z`);
    case 'timestamptz':
      return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(key) && isInstant(key);
  }
}

/** Returns whether an ISO time exists: 31 February does not. */
function isInstant(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}
