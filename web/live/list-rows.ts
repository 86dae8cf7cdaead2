import type { Changes } from '#shared/live/live.ts';

/**
 * A row of a list: either identified by its id and updated by version, or an entry for an event, identified by `g`,
 * which never changes.
 */
export type ListRow = { readonly id: string; readonly version: number } | { readonly g: number };

/** A change of one row, from an event or an overlay. */
export type RowChange<Row> = {
  readonly entityId: string;
  readonly version: number;
  readonly changes: Changes | null;
} & ({ readonly op: 'put'; readonly row: Row } | { readonly op: 'del' });

/** Negative if the first row comes before the other. */
export type CompareRows<Row> = (row: Row, other: Row) => number;

export const keyOf = (row: ListRow) => ('g' in row ? row.g : row.id);

/** An entry for an event never changes, so its version is the highest. */
export const versionOf = (row: ListRow) => ('g' in row ? Number.POSITIVE_INFINITY : row.version);

export function indexOfRow(rows: readonly ListRow[], key: string | number): number {
  return rows.findIndex((row) => keyOf(row) === key);
}

/** The rows with this one at its place, replacing an older copy of it. */
export function putRow<Row extends ListRow>(
  rows: readonly Row[],
  row: Row,
  compare: CompareRows<Row>,
): Row[] {
  const at = indexOfRow(rows, keyOf(row));
  const others = at === -1 ? rows : rows.toSpliced(at, 1);
  let low = 0;
  let high = others.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = others[middle];
    if (other !== undefined && compare(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return others.toSpliced(low, 0, row);
}

/**
 * Applies a change of one row to rows that are all loaded: the row enters, leaves, moves or is replaced at its place.
 * Returns the same array if the change is known already or concerns none of them.
 */
export function changeRows<Row extends ListRow>(
  rows: Row[],
  event: RowChange<Row>,
  belongs: (row: Row) => boolean,
  compare: CompareRows<Row>,
): Row[] {
  const at = indexOfRow(rows, event.entityId);
  const held = rows[at];
  if (held !== undefined && versionOf(held) >= event.version) return rows;
  if (event.op === 'put' && belongs(event.row)) return putRow(rows, event.row, compare);
  return held === undefined ? rows : rows.toSpliced(at, 1);
}

/** Adds the rows of a further page. Of a row in both, the copy with the higher version stays. */
export function joinRows<Row extends ListRow>(
  rows: readonly Row[],
  further: readonly Row[],
  compare: CompareRows<Row>,
): Row[] {
  const joined = new Map<string | number, Row>(rows.map((row) => [keyOf(row), row]));
  let isInOrder = true;
  for (const row of further) {
    const held = joined.get(keyOf(row));
    if (held === undefined) joined.set(keyOf(row), row);
    else if (versionOf(held) < versionOf(row)) {
      joined.set(keyOf(row), row);
      isInOrder = false;
    }
  }
  const all = [...joined.values()];
  const last = rows.at(-1);
  const next = all[rows.length];
  if (last !== undefined && next !== undefined && compare(last, next) > 0) isInOrder = false;
  return isInOrder ? all : all.sort(compare);
}
