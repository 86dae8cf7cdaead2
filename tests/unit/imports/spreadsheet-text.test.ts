import { expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from '#shared/text/spreadsheet-text.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['  +44 20', "  '+44 20"],
  ['a;=1+1', "a;'=1+1"],
  ['a|@SUM(A1)\t-2', "a|'@SUM(A1)\t'-2"],
  ['first\n=cmd()', "first\n'=cmd()"],
  ['＝1+1', "'＝1+1"],
  ['\tindented', "'\tindented"],
  ['\t=1', "'\t'=1"],
  ['Sink - left, a+b = c', 'Sink - left, a+b = c'],
  ["O'Brien", "O'Brien"],
  ["'s-Graven Court", "'s-Graven Court"],
  ["'=1", "''=1"],
  ["a; '-2", "a; ''-2"],
  ["'\tindented", "''\tindented"],
])('%j is kept from being a formula, and read back as it was', (text, safe) => {
  expect(escapeFormula(text)).toBe(safe);
  expect(unescapeFormula(safe)).toBe(text);
});

test('a long run of breaks and blanks takes no time that grows with its square', () => {
  const text = `${'\n'.repeat(200_000)}${' '.repeat(200_000)}`;
  expect(unescapeFormula(escapeFormula(text))).toBe(text);
});

test('every short text of the signs that count comes back as it was, and begins no formula', () => {
  const signs = ["'", '=', '\t', '\n', '"', ' ', ';', 'a'];
  let texts = [''];
  for (let length = 1; length <= 5; length += 1) {
    texts = texts.flatMap((text) => signs.map((sign) => text + sign));
    for (const text of texts) {
      const safe = escapeFormula(text);
      if (unescapeFormula(safe) !== text || /^["\s]*=/.test(safe))
        throw new Error(JSON.stringify([text, safe]));
    }
  }
});
