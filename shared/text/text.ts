import { z } from 'zod';
import { messages } from '../messages.ts';

// Unpaired surrogates, which the database would silently replace.
const UNSTORABLE = /\p{Cs}/u;

// Invisible characters: Unicode's categories Cc and Cf, the line and paragraph separators, letters and marks that are
// drawn as nothing (Default_Ignorable_Code_Point: fillers, variation selectors), noncharacters and the Braille blank.
// The exceptions are the few that have a visible shape, and joiners, selectors and tags in places where scripts or emoji need
// them (Unicode 16, sections 5.21, 23.2 and 23.4, and UTS #51).
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
  // Selectors that show a symbol as a picture or as text, or a digit on a keycap.
  String.raw`(?<=${pictograph})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  // Variants of one character that occur in names.
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{Script=Myanmar})\ufe00`,
  String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f]`,
  // The flags of England, Scotland and Wales.
  String.raw`(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]*)[\u{e0061}-\u{e007a}](?=[\u{e0061}-\u{e007a}]*\u{e007f})`,
  String.raw`(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]+)\u{e007f}`,
].join('|');
const HIDDEN_SOURCE = `(?=${UNSEEN})(?!${KEPT}|[${SHAPED}]).`;
const HIDDEN = new RegExp(HIDDEN_SOURCE, 'su');
// In text of several lines, line ends and tabs are allowed.
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
 * Text that people type, of one or several lines, trimmed. Invisible characters (control characters, changes of
 * direction, zero widths) are removed, not refused: a record stored on a phone must never be refused because of them.
 */
export function typedText() {
  return storable(z.string().overwrite(cleanLines).trim());
}

/** Typed text of one line: line ends and tabs become a space. */
export function typedLine() {
  return storable(z.string().overwrite(cleanLine).trim());
}

/**
 * The name of a person, a building or an asset: one line without invisible characters, because names that look the same
 * must be equal. Invisible characters are refused, not removed, so that the stored name is the typed name.
 */
export function nameText() {
  return storable(z.string().trim()).refine((text) => !HIDDEN.test(text), messages.common.hiddenCharacters);
}

function storable(schema: z.ZodString) {
  return schema.refine((text) => !UNSTORABLE.test(text), messages.common.unstorable);
}
