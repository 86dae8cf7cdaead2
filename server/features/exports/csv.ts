import { stringify } from 'csv-stringify/sync';
import { protectText } from '../../spreadsheet-text.ts';

/** What a cell may be made of; nothing is an empty cell. */
export type Cell = string | number | null;

/** Divides cells in some spreadsheets; where it stands between quotation marks it does not. */
const OTHER_DELIMITER = /[;|\t]/;

/** Rows as text. What somebody typed is never a formula, whichever sign a spreadsheet divides the cells by. */
export function csvOf(rows: readonly (readonly Cell[])[], options: { bom?: boolean } = {}): string {
  const safe = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? protectText(cell) : cell)));
  return stringify(safe, {
    bom: options.bom === true,
    record_delimiter: 'windows',
    quoted_match: OTHER_DELIMITER,
  });
}
