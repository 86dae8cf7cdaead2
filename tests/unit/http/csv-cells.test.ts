import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csvOf } from '#server/http/downloads/csv.ts';
import { escapeFormula, unescapeFormula } from '#shared/text/spreadsheet-text.ts';

const SIGNS = [...'=+-@＝＋－＠'];
const BEFORE = [
  ...['', ' ', '\u00a0', '\ufeff', '\t', '\r', '\n', 'a\n', 'a\r', 'a\r\n', 'a;', 'a; ', 'a|', 'a\t'],
  ...['a;"', ';""', 'a"; "', '";"";'],
];
const TEXTS = BEFORE.flatMap((before) => SIGNS.map((sign) => `${before}${sign}1+1`));

/** Parses as a spreadsheet with another separator does, which accepts quotation marks only at the start of a cell. */
function cellsOf(csv: string, delimiter: string): string[] {
  const lines = parse(csv, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  });
  return (lines as string[][]).flat();
}

describe('a text in a file for spreadsheets', () => {
  test.each(TEXTS)('%j is no formula, whichever sign divides the cells', (text) => {
    const file = csvOf([['first', text, 'last']]);
    for (const delimiter of [',', ';', '|', '\t']) {
      for (const cell of cellsOf(file, delimiter)) expect(cell).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
    }
  });

  test.each([...TEXTS, 'a\nb', 'a\rb', 'a\r\nb', '"', '";\n"'])('%j stays in its cell and row', (text) => {
    const rows = parse(csvOf([[text, 'next'], ['below']]), {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
    }) as string[][];
    expect(rows).toEqual([[escapeFormula(text), 'next'], ['below']]);
  });

  test.each(TEXTS)('%j comes back as it was', (text) => {
    expect(unescapeFormula(escapeFormula(text))).toBe(text);
  });
});
