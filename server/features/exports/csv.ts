import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '#shared/spreadsheet-text.ts';

/** What a cell may be made of; nothing is an empty cell. */
export type Cell = string | number | null;

/**
 * Divides cells or rows in some spreadsheets; where it stands between quotation marks it does not. The writer itself
 * sees to the comma and to its own end of a row, which is not every end of a line.
 */
const DIVIDES = /[;|\t\r\n]/;

/** Rows as text. What somebody typed is never a formula, whichever sign a spreadsheet divides the cells by. */
export function csvOf(rows: readonly (readonly Cell[])[], options: { bom?: boolean } = {}): string {
  const safe = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell)));
  return stringify(safe, {
    bom: options.bom === true,
    record_delimiter: 'windows',
    quoted_match: DIVIDES,
  });
}
