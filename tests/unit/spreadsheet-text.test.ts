import { expect, test } from 'vitest';
import { protectText, unprotectText } from '#shared/spreadsheet-text.ts';

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
])('%j is kept from being a formula, and read back as it was', (text, safe) => {
  expect(protectText(text)).toBe(safe);
  expect(unprotectText(safe)).toBe(text);
});

test('a long run of breaks and blanks takes no time that grows with its square', () => {
  const text = `${'\n'.repeat(200_000)}${' '.repeat(200_000)}`;
  expect(unprotectText(protectText(text))).toBe(text);
});
