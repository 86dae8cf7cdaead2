import { signsAsLetters } from './signs-as-letters.ts';

/** What everybody knows of a person. */
export type OwnData = { email: string; firstName: string; lastName: string; organisation: string };

/** Shorter parts of a name occur in any word. */
const PART_MIN = 3;
/** Fewer letters beside one's own data do not make a password. */
const REST_MIN = 4;

/**
 * Does a password consist of what everybody knows of its person: the address, its parts, the names, the organisation's
 * name? Digits and signs around them do not help, nor do signs for letters; a phrase that holds a name among other words
 * is fine.
 */
export function isOwnData(password: string, own: OwnData): boolean {
  const { email, firstName, lastName, organisation } = own;
  const text = plain(password);
  const address = plain(email);
  if (text === address || text === address.replace(/@.*$/s, '')) return true;
  const parts = [
    email,
    `${firstName} ${lastName}`,
    `${lastName} ${firstName}`,
    firstName,
    lastName,
    organisation,
  ]
    .flatMap((source) => {
      const words = plain(source).split(/[^\p{L}]+/u);
      return [words.join(''), ...words];
    })
    .filter((part) => part.length >= PART_MIN)
    // The longest first: what is left of a name must not hide behind a part of it.
    .sort((a, b) => b.length - a.length);
  return [text, signsAsLetters(text)].some((form) => {
    const letters = form.replace(/[^\p{L}]+/gu, '');
    const rest = parts.reduce((left, part) => left.replaceAll(part, ' '), letters);
    return rest !== letters && rest.replaceAll(' ', '').length < REST_MIN;
  });
}

/** Without case and accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
