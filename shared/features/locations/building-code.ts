const LETTERS = 3;
/** The prefix for a name without any letter from A to Z. */
const NAMELESS = 'BLD';

/** The prefix of a building's code: the first three letters of its name, upper case, without accents. */
export function codePrefix(name: string): string {
  const letters = name
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '');
  return letters === '' ? NAMELESS : letters.slice(0, LETTERS);
}
