import { normaliseLeetspeak } from './normalise-leetspeak.ts';
import { lettersOf, plainForm } from './plain-form.ts';

/** Data about a person that others know. */
export type OwnData = { email: string; firstName: string; lastName: string; organisation: string };

/** Shorter parts of a name occur in many words by chance. */
const PART_MIN = 3;
/** A part of a name with at least this many letters does not occur by chance. */
const WORD_MIN = 4;
/** A password with fewer letters than this besides own data is refused. */
const REST_MIN = 4;

/**
 * Returns the parts of a password that remain without the person's own data: e-mail address and its parts, names, name of the
 * organisation, each also backwards. Digits and signs are ignored; look-alike signs count as letters.
 * @returns for each reading of the password that contains own data: the remaining piece if there is only one, or an empty
 *   string if too little remains
 */
export function besideOwnData(password: string, own: OwnData): string[] {
  const { email, firstName, lastName, organisation } = own;
  const text = plainForm(password);
  const address = plainForm(email);
  if ([address, address.replace(/@.*$/s, '')].some((known) => text === known || text === backwards(known)))
    return [''];
  const parts = [
    email,
    `${firstName} ${lastName}`,
    `${lastName} ${firstName}`,
    firstName,
    lastName,
    organisation,
  ]
    .flatMap((source) => {
      const words = plainForm(source).split(/[^\p{L}]+/u);
      return [words.join(''), ...words];
    })
    .filter((part) => part.length >= PART_MIN)
    .flatMap((part) => (part.length >= WORD_MIN ? [part, backwards(part)] : [part]))
    // Longest first, so that replacing a part of a name does not hide the whole name.
    .sort((a, b) => b.length - a.length);
  return [text, normaliseLeetspeak(text)].flatMap((form) => {
    const letters = lettersOf(form);
    const rest = parts.reduce((left, part) => left.replaceAll(part, ' '), letters);
    if (rest === letters) return [];
    const others = rest.split(' ').filter((piece) => piece !== '');
    if (others.join('').length < REST_MIN) return [''];
    // Several pieces are not one word that could be checked, and a short name also occurs in unrelated words.
    const isThere = parts.some((part) => part.length >= WORD_MIN && letters.includes(part));
    return isThere && others.length === 1 ? others : [];
  });
}

function backwards(text: string): string {
  return [...text].reverse().join('');
}
