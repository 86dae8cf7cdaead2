const LETTERS = 3;
/** For a name without any letter of the alphabet. */
const NAMELESS = 'BLD';

/** What a building's code begins with: the first three letters of its name, upper-case, without accents. */
export function codePrefix(name: string): string {
  const letters = name
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '');
  return letters === '' ? NAMELESS : letters.slice(0, LETTERS);
}
