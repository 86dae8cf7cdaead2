import type { PersonToken } from '#shared/features/imports.vocabulary.ts';
import { escapeFormula } from '#shared/spreadsheet-text.ts';

/** By what somebody who was imported gets in for the first time. */
export type PersonLink = { email: string; name: string; url: string };

export function linksOf(tokens: readonly PersonToken[]): PersonLink[] {
  return tokens.map(({ email, name, token }) => ({
    email,
    name,
    url: `${window.location.origin}/invite/${token}`,
  }));
}

/** As a file for a mail merge. What somebody typed is never a formula, whichever sign a spreadsheet divides by. */
export function csvOfLinks(links: readonly PersonLink[]): string {
  const rows = [['Email', 'Name', 'Link'], ...links.map(({ email, name, url }) => [email, name, url])];
  const cell = (text: string) => `"${escapeFormula(text).replaceAll('"', '""')}"`;
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
