import { createYielder } from './yield-to-event-loop.ts';

/** Rows that the driver and the query builder turn into objects in one go, in two or three milliseconds. */
const ROWS_AT_ONCE = 500;

/**
 * Reads rows by their ids in several statements, because turning the rows of a statement into objects blocks the event
 * loop. Use a transaction if the rows must come from the same state.
 * @param ids in the order of the answer
 * @param read the rows of some ids, in any order
 * @param options.atOnce rows of one statement; few if a row is long
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
