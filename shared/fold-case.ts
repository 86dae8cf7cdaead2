/** Lower case, one character at a time as in the database, so that the length never changes. */
export function foldCase(text: string): string {
  let folded = '';
  for (const character of text) {
    const lower = character === 'İ' ? 'i' : character.toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}
