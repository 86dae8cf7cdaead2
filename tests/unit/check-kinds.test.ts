import { describe, expect, test } from 'vitest';
import { LOG_KINDS, slugOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { codeOf, importsIn, sourceFiles, textOf } from '#tests/support/imports.ts';

// A kind of check owns what is its own: its sentences, limits, rows and timer. Code for all kinds names none of them, so a
// further kind is a line in each registry and files of its own.

/** Gather the kinds: here each has a line. */
const REGISTRIES = [
  'shared/features/checks/kinds.vocabulary.ts',
  'shared/features/checks/incidents.vocabulary.ts',
  'shared/features/checks/index.ts',
  'shared/features/checks/readings.vocabulary.ts',
  'db/schema/checks/index.ts',
  'db/drizzle.config.ts',
  'web/features/checks/kinds/cards.ts',
  'web/features/checks/kinds/form-parts.ts',
  'web/features/checks/kinds/form-vocabulary.ts',
];
/** Limits of water outlets belong to the check that measures them; the sentence of the premises' switch quotes them. */
const QUOTES = ['shared/features/locations-messages.ts'];
/** Rows and sentences of made-up records, and a list of words that people choose as passwords: data. */
const DATA = ['server/sample-data/', 'server/adapters/auth/common-passwords.ts'];

const kebabs = LOG_KINDS.map(slugOf);
const pascal = (kebab: string) =>
  kebab.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());
/** `fire_alarm_test`, `fire-alarm`, `fireAlarm`, `FireAlarm`. */
const NAMES = [
  ...LOG_KINDS,
  ...kebabs.flatMap((kebab) => {
    const name = pascal(kebab);
    return [kebab, kebab.replaceAll('-', '_'), name, name.charAt(0).toLowerCase() + name.slice(1)];
  }),
];

/** A file of one kind alone: it says so by its name, in a folder for them. */
function isOfOneKind(path: string): boolean {
  const folder = /^(shared\/features\/checks\/kinds|web\/features\/checks\/kinds|db\/schema\/checks)\//;
  return folder.test(path) && kebabs.some((kebab) => path.slice(path.lastIndexOf('/') + 1).startsWith(kebab));
}
/** Named after what it is about rather than after its kind. */
const OWN_FILES = [
  'shared/features/checks/kinds/water-limits.vocabulary.ts',
  'web/features/checks/kinds/temperature-row.tsx',
];

const generic = ['shared', 'db', 'server', 'web']
  .flatMap(sourceFiles)
  .filter(
    (path) =>
      !REGISTRIES.includes(path) &&
      !OWN_FILES.includes(path) &&
      !isOfOneKind(path) &&
      !DATA.some((data) => path.startsWith(data)),
  );

/** The names of kinds in code, comments left out. */
function kindsNamedIn(code: string): string[] {
  return NAMES.filter((name) => code.includes(name));
}

describe('code for all kinds of checks', () => {
  test('names none of them', () => {
    expect(generic.length).toBeGreaterThan(400);
    expect(
      generic.flatMap((path) => kindsNamedIn(codeOf(textOf(path))).map((name) => `${path}: ${name}`)),
    ).toEqual([]);
  });

  test('imports no file of one of them', () => {
    const taken = generic
      .filter((path) => !QUOTES.includes(path))
      .flatMap((path) => importsIn(path))
      .filter(({ to }) => to !== undefined && (isOfOneKind(to) || OWN_FILES.includes(to)))
      .map(({ from, specifier }) => `${from} → ${specifier}`);
    expect(taken).toEqual([]);
  });

  test.each([
    "if (kind === 'water_temperature_check') return <TimerButton />;",
    'const words = emergencyLightingMessages.noneHere;',
    'type Row = typeof FalseAlarmEntry;',
    "to('/logbook/outlet-flushing');",
  ])('may not say: %s', (code) => {
    expect(kindsNamedIn(codeOf(code))).not.toEqual([]);
  });

  test('may speak of them in a comment', () => {
    expect(
      kindsNamedIn(codeOf("// As for the 'fire_alarm_test'.\n/** Like outlet-flushing. */\nconst a = 1;")),
    ).toEqual([]);
  });

  test('every registry and every file that is excused is there', () => {
    const all = ['shared', 'db', 'server', 'web'].flatMap(sourceFiles);
    expect([...REGISTRIES, ...OWN_FILES, ...QUOTES].filter((path) => !all.includes(path))).toEqual([]);
  });
});
