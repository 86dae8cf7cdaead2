/**
 * The start of a formula in a spreadsheet: a sign such as `=`, also full-width, at the start of a cell, or where a cell
 * starts for a spreadsheet that separates by semicolons, tabs or bars instead of commas. Quotation marks that open such a
 * cell are skipped. Apostrophes before the sign belong to the text and get one more, because `unescapeFormula` would
 * otherwise remove one of them.
 */
const BEGINS_FORMULA = /(^|[;|\t\r\n])((?:[^\S\t\r\n]|")*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const LEADING_CONTROL = /^'*[\t\r\n]/;
const PROTECTED = /(^|[;|\t\r\n])((?:[^\S\t\r\n]|")*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** The text with an apostrophe before each sign that would begin a formula in a spreadsheet. */
export function escapeFormula(text: string): string {
  const safe = text.replace(BEGINS_FORMULA, "$1$2'");
  return LEADING_CONTROL.test(safe) ? `'${safe}` : safe;
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(text: string): string {
  const inner = /^'+[\t\r\n]/.test(text) ? text.slice(1) : text;
  return inner.replace(PROTECTED, '$1$2');
}
