import type { PersonToken } from '#shared/features/imports/imports.vocabulary.ts';
import { escapeFormula } from '#shared/text/spreadsheet-text.ts';

/** The one-time link by which an imported person signs in for the first time. */
export type PersonLink = { email: string; name: string; url: string };

/** Builds the links from the tokens of an import. */
export function linksOf(tokens: readonly PersonToken[]): PersonLink[] {
  return tokens.map(({ email, name, token }) => ({
    email,
    name,
    url: `${window.location.origin}/invite/${token}`,
  }));
}

/** Formats the links as CSV for a mail merge. Typed text is escaped, so that no spreadsheet reads it as a formula. */
export function csvOfLinks(links: readonly PersonLink[]): string {
  const rows = [['Email', 'Name', 'Link'], ...links.map(({ email, name, url }) => [email, name, url])];
  const cell = (text: string) => `"${escapeFormula(text).replaceAll('"', '""')}"`;
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
