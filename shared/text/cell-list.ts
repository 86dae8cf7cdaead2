// Several names in one cell of a file, separated by semicolons. A name that contains a semicolon, or begins with a
// quotation mark, is put in quotation marks, and the quotation marks inside it are doubled, as in CSV.

const NEEDS_QUOTES = /^"|;/;
const ITEM = /\s*(?:"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))(?:;|$)/y;

/** The names as one cell; the reverse of `parseCellList`. */
export function formatCellList(items: readonly string[]): string {
  return items.map((item) => (NEEDS_QUOTES.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join('; ');
}

/** The names of a cell, trimmed, without empty ones. */
export function parseCellList(text: string): string[] {
  const items: string[] = [];
  ITEM.lastIndex = 0;
  while (ITEM.lastIndex < text.length) {
    const [, quoted, plain = ''] = ITEM.exec(text) ?? [];
    items.push((quoted?.replaceAll('""', '"') ?? plain).trim());
  }
  return items.filter((item) => item !== '');
}
