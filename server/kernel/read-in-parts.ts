import { createYielder } from './yield-to-event-loop.ts';

/** Rows that are made into objects at a stretch, by the driver and the query builder: two milliseconds or three. */
const ROWS_AT_ONCE = 500;

/**
 * Reads rows by their ids in several statements, because the rows of one are made into objects at a stretch. What must
 * belong together is read in one transaction.
 * @param ids in the order of the answer
 * @param read the rows of some ids, in any order
 * @param options.atOnce rows of one statement; few where a row is long
 */
export async function readInParts<Row extends { id: string }>(
  ids: readonly string[],
  read: (some: readonly string[]) => PromiseLike<readonly Row[]>,
  { atOnce = ROWS_AT_ONCE }: { atOnce?: number } = {},
): Promise<Row[]> {
  const all: Row[] = [];
  const turn = createYielder();
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const rows = new Map((await read(some)).map((row) => [row.id, row]));
    for (const id of some) {
      const row = rows.get(id);
      if (row !== undefined) all.push(row);
    }
    await turn();
  }
  return all;
}
