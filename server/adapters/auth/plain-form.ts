/** Letters of other scripts that are drawn as Latin ones are, in lower case (a choice of Unicode's confusables, UTS #39). */
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
 * A text as an eye takes it that looks for words: without case, accents, full-width forms, what is drawn as nothing, and
 * letters of other scripts in the place of Latin ones.
 */
export function plainForm(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replace(ALIKE, (sign) => DRAWN_ALIKE[sign] ?? sign);
}

/** Its letters alone. */
export function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]+/gu, '');
}
