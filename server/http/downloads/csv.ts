import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '#shared/text/spreadsheet-text.ts';
import type { Cell } from '../../kernel/lists/exported-list.ts';

/**
 * Separators of some spreadsheets, which are harmless inside quotation marks. The writer itself quotes commas and its
 * own line ends, but not other line breaks.
 */
const DIVIDES = /[;|\t\r\n]/;

/** Formats rows as CSV. Typed text is never interpreted as a formula, whatever separator a spreadsheet uses. */
export function csvOf(rows: readonly (readonly Cell[])[], options: { bom?: boolean } = {}): string {
  const safe = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell)));
  return stringify(safe, {
    bom: options.bom === true,
    record_delimiter: 'windows',
    quoted_match: DIVIDES,
  });
}
