import { stemmer } from 'stemmer';

// Finds the duty of a task that was not made from a template, by the words of its name. Different people write differently:
// "6 monthly service", "Six-monthly service by contractor" and "bi-annual servicing" mean the same.

/** Patterns of intervals, each with the word that replaces it: "every6m" is every six months. Applied in this order. */
const INTERVALS: readonly (readonly [RegExp, string | ((count: number) => string)])[] = [
  [/\b(half[\s-]*year(ly)?|(bi|semi)[\s-]*annual(ly)?|twice (a|per|every) year)\b/g, ' every6m '],
  [/\b(\d+)[\s-]*(hour|hr)s?\b/g, (count) => ` ${count}h `],
  [/\b(?:every )?(\d+)[\s-]*(year(ly)?|yr(ly)?|annual)s?\b/g, (count) => ` every${12 * count}m `],
  [/\b(?:every )?(\d+)[\s-]*(month(ly)?|mth(ly)?)s?\b/g, (count) => ` every${count}m `],
  [/\b(?:every )?(\d+)[\s-]*week(ly)?s?\b/g, (count) => ` every${count}w `],
  [/\b(weekly|(every|each) week)\b/g, ' every1w '],
  [/\b(monthly|(every|each) month)\b/g, ' every1m '],
  [/\b(quarterly|(every|each) quarter)\b/g, ' every3m '],
  [/\b(annual(ly)?|yearly|(every|each) year)\b/g, ' every12m '],
];
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const NUMBER_WORD = new RegExp(`\\b(${NUMBERS.join('|')})\\b`, 'g');

/** The words of a text in a uniform form: without case, accents, order, dashes and endings. */
export function stemsIn(text: string): Set<string> {
  let plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(NUMBER_WORD, (word) => String(NUMBERS.indexOf(word) + 1));
  for (const [found, said] of INTERVALS) {
    plain = plain.replace(found, (_all, count: string) =>
      typeof said === 'string' ? said : said(Number(count)),
    );
  }
  return new Set(plain.match(/[\p{L}\p{N}]+/gu)?.map(stemmer));
}

type Phrase = { wanted: readonly string[]; without: readonly string[] };
const phrases = new Map<string, Phrase>();

/**
 * Whether a task's name matches a phrase: it has all words of the phrase, and none of the words that the phrase excludes.
 * @param name the stems of the name, from `stemsIn`
 * @param text words in any order; words that must be absent begin with a dash: "extinguisher service -extended"
 */
export function hasPhrase(name: ReadonlySet<string>, text: string): boolean {
  const phrase = phrases.get(text) ?? readPhrase(text);
  phrases.set(text, phrase);
  return phrase.wanted.every((word) => name.has(word)) && !phrase.without.some((word) => name.has(word));
}

function readPhrase(text: string): Phrase {
  const words = text.split(' ');
  const [without, wanted] = [true, false].map((isAbsent) => {
    const some = words.filter((word) => word.startsWith('-') === isAbsent);
    return [...stemsIn(some.map((word) => word.replace(/^-/, '')).join(' '))];
  });
  return { wanted: wanted ?? [], without: without ?? [] };
}
