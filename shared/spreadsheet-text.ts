/**
 * What a spreadsheet takes for a formula: one of its signs, also full-width, at the beginning of a cell, or where a cell
 * begins for a spreadsheet that divides by semicolons, tabs or bars instead of commas. Quotation marks that open such a
 * cell are no part of it. Apostrophes before the sign are the text's own, and get one more: without it they would be
 * taken for ours when the file is read again.
 */
const BEGINS_FORMULA = /(^|[;|\t\r\n])((?:[^\S\t\r\n]|")*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const LEADING_CONTROL = /^'*[\t\r\n]/;
const PROTECTED = /(^|[;|\t\r\n])((?:[^\S\t\r\n]|")*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A text that no spreadsheet calculates with: an apostrophe stands before each sign that would begin a formula. */
export function escapeFormula(text: string): string {
  const safe = text.replace(BEGINS_FORMULA, "$1$2'");
  return LEADING_CONTROL.test(safe) ? `'${safe}` : safe;
}

/** The text as it was before `escapeFormula`. */
export function unescapeFormula(text: string): string {
  const inner = /^'+[\t\r\n]/.test(text) ? text.slice(1) : text;
  return inner.replace(PROTECTED, '$1$2');
}
