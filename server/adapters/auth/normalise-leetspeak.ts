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

/** Replaces look-alike signs by letters: "p@ssw0rd" becomes "password". Signs after the last letter stay. */
export function normaliseLeetspeak(text: string): string {
  const end = text.search(/[^\p{L}]*$/u);
  return text.slice(0, end).replace(/[013457@$!]/g, (sign) => LETTERS[sign] ?? sign) + text.slice(end);
}
