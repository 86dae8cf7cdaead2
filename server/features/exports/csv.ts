import { stringify } from 'csv-stringify/sync';

/** What a cell may be made of; nothing is an empty cell. */
export type Cell = string | number | null;

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as text. What somebody typed is never a formula: an apostrophe says so to every spreadsheet. */
export function csvOf(rows: readonly (readonly Cell[])[], options: { bom?: boolean } = {}): string {
  const safe = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell)),
  );
  return stringify(safe, { bom: options.bom === true, record_delimiter: 'windows' });
}
