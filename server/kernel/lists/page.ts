import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Cuts a page out of rows that were requested with a limit of one more, which shows whether there is a next page.
 * @param cursorOf returns the cursor of the next page, from the last row of this page
 */
export function cutPage<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => Cursor,
): { rows: Row[]; nextCursor: Cursor | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/**
 * The earliest time that both Postgres and ISO texts can express: a cursor may name the year 0, which Postgres does not have.
 */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');

/** SQL condition for rows after a cursor, of a list that is sorted by a time and the id, newest first. */
export function isOlder(
  [time, id]: readonly [SQLWrapper, SQLWrapper],
  cursor: { at: string; id: string },
): SQL {
  const at = new Date(Math.max(EARLIEST, Date.parse(cursor.at))).toISOString();
  return sql`(${time}, ${id}) < (${at}::timestamptz, ${cursor.id}::uuid)`;
}
