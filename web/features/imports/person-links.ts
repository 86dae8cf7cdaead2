import type { ImportCheck } from '#shared/features/imports.words.ts';

/** By what somebody who was imported gets in for the first time. */
export type PersonLink = { email: string; name: string; url: string };

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** @param tokens one for each row, in their order; without any there are no links */
export function linksOf(check: ImportCheck, tokens: readonly string[]): PersonLink[] {
  const cellOf = (cells: readonly string[], column: string) =>
    (cells[check.columns.indexOf(column)] ?? '').trim();
  return tokens.map((token, at) => {
    const cells = check.rows[at]?.cells ?? [];
    return {
      email: cellOf(cells, 'Email').toLowerCase(),
      name: `${cellOf(cells, 'First Name')} ${cellOf(cells, 'Last Name')}`,
      url: `${window.location.origin}/invite/${token}`,
    };
  });
}

/** As a file for a mail merge. What somebody typed is never a formula: an apostrophe says so to every spreadsheet. */
export function csvOfLinks(links: readonly PersonLink[]): string {
  const rows = [['Email', 'Name', 'Link'], ...links.map(({ email, name, url }) => [email, name, url])];
  const cell = (text: string) => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
