const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** "p@ssw0rd" → "password"; what stands after the last letter stays what it is. */
export function normaliseLeetspeak(text: string): string {
  const end = text.search(/[^\p{L}]*$/u);
  return text.slice(0, end).replace(/[013457@$!]/g, (sign) => LETTERS[sign] ?? sign) + text.slice(end);
}
