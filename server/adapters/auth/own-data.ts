import { normaliseLeetspeak } from './normalise-leetspeak.ts';
import { lettersOf, plainForm } from './plain-form.ts';

/** What everybody knows of a person. */
export type OwnData = { email: string; firstName: string; lastName: string; organisation: string };

/** Shorter parts of a name occur in any word. */
const PART_MIN = 3;
/** From this length on a part of a name is there on purpose. */
const WORD_MIN = 4;
/** Fewer letters beside one's own data do not make a password. */
const REST_MIN = 4;

/**
 * The part of a password that remains without the person's well-known data: the e-mail address and its parts, the names,
 * the organisation's name, each also backwards. Digits and signs around them do not count; signs for letters are letters.
 * @returns the one piece that is beside it, for each way to read it in which there is one; empty where it is nothing else
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
    // The longest first: what is left of a name must not hide behind a part of it.
    .sort((a, b) => b.length - a.length);
  return [text, normaliseLeetspeak(text)].flatMap((form) => {
    const letters = lettersOf(form);
    const rest = parts.reduce((left, part) => left.replaceAll(part, ' '), letters);
    if (rest === letters) return [];
    const others = rest.split(' ').filter((piece) => piece !== '');
    if (others.join('').length < REST_MIN) return [''];
    // Of several pieces none is a word by itself, and a short name occurs in words that have nothing to do with it.
    const isThere = parts.some((part) => part.length >= WORD_MIN && letters.includes(part));
    return isThere && others.length === 1 ? others : [];
  });
}

function backwards(text: string): string {
  return [...text].reverse().join('');
}
