import { z } from 'zod';
import { messages } from './messages.ts';

// Halves of characters, which the database would change without a word.
const UNSTORABLE = /\p{Cs}/u;

// Unicode's categories Cc and Cf, the two separators of lines, what is drawn as nothing although it is a letter or a mark
// (Default_Ignorable_Code_Point: fillers, variation selectors), noncharacters and the blank of Braille; but for the few
// that have a shape of their own, and joiners, selectors and tags where writing needs them (Unicode 16, 5.21, 23.2, 23.4
// and UTS #51).
const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800]`;
const SHAPED = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
const JOINED_SCRIPTS = [
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Mongolian',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
    'Tamil',
  ],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Tibetan', 'Myanmar'],
];
const joined = `[${JOINED_SCRIPTS.map((name) => String.raw`\p{Script=${name}}`).join('')}]`;
const pictograph = String.raw`\p{Extended_Pictographic}`;
const KEPT = [
  String.raw`(?<=${joined}\p{M}*)[\u200c\u200d](?=${joined})`,
  String.raw`(?<=${joined}\p{M}*)\u200d(?!\S)`,
  String.raw`(?<=${pictograph}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=${pictograph})`,
  // A sign as a picture or as a letter, a digit on a key.
  String.raw`(?<=${pictograph})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  // Forms of one character that names are written with.
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{Script=Myanmar})\ufe00`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]*)[\u{e0061}-\u{e007a}](?=[\u{e0061}-\u{e007a}]*\u{e007f})`,
  String.raw`(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]+)\u{e007f}`,
].join('|');
const HIDDEN_SOURCE = String.raw`(?=${UNSEEN})(?!${KEPT}|[${SHAPED}]).`;
const HIDDEN = new RegExp(HIDDEN_SOURCE, 'su');
// In a text of several lines their ends and tabs are no fault.
const HIDDEN_IN_LINES = new RegExp(String.raw`(?![\n\t])${HIDDEN_SOURCE}`, 'gsu');
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const BLANKS_AND_ENDS = /[\t\n]+/g;

function cleanLines(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(HIDDEN_IN_LINES, '');
}

function cleanLine(text: string): string {
  return cleanLines(text).replace(BLANKS_AND_ENDS, ' ');
}

/**
 * Text that people type, of one or several lines, trimmed. What nobody sees (control characters, changes of direction,
 * zero widths) is taken out and not refused: what a phone has kept must always arrive.
 */
export function typedText() {
  return storable(z.string().overwrite(cleanLines).trim());
}

/** The same, of one line: where others end, a blank stands. */
export function typedLine() {
  return storable(z.string().overwrite(cleanLine).trim());
}

/**
 * The name of a person, a building, an asset: one line without anything that nobody sees, because two names that look
 * the same must be the same. Refused and not taken out, so that what is stored is what was typed.
 */
export function nameText() {
  return storable(z.string().trim()).refine((text) => !HIDDEN.test(text), messages.common.hiddenCharacters);
}

function storable(schema: z.ZodString) {
  return schema.refine((text) => !UNSTORABLE.test(text), messages.common.unstorable);
}
