/** Lower-case letters of other scripts that look like Latin ones (a selection from Unicode's confusables, UTS #39). */
const DRAWN_ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['аαɑ', 'a'],
    ['вβ', 'b'],
    ['сϲ', 'c'],
    ['ԁ', 'd'],
    ['еεє', 'e'],
    ['һн', 'h'],
    ['іιıӏ', 'i'],
    ['ј', 'j'],
    ['кκ', 'k'],
    ['м', 'm'],
    ['ո', 'n'],
    ['оοσօ', 'o'],
    ['рρ', 'p'],
    ['ԛ', 'q'],
    ['ѕ', 's'],
    ['тτ', 't'],
    ['υս', 'u'],
    ['ѵν', 'v'],
    ['ԝω', 'w'],
    ['хχ', 'x'],
    ['уγ', 'y'],
  ].flatMap(([signs = '', letter = '']) => [...signs].map((sign) => [sign, letter])),
);
const ALIKE = new RegExp(`[${Object.keys(DRAWN_ALIKE).join('')}]`, 'gu');

/**
 * Reduces a text to how it reads: without case, accents, full-width forms and invisible characters, with look-alike
 * letters of other scripts replaced by Latin ones.
 */
export function plainForm(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(ALIKE, (sign) => DRAWN_ALIKE[sign] ?? sign);
}

/** Returns the letters of a text. */
export function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]+/gu, '');
}
