import { describe, expect, test } from 'vitest';
import { LOG_KINDS, slugOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { codeOf, importsIn, sourceFiles, textOf } from '#tests/support/code/imports.ts';

// Each kind of check owns its sentences, limits, rows and timer. Code for all kinds names no single kind, so that a new
// kind needs one line in each registry, and files of its own.

/** Files that list the kinds, with one line each. */
const REGISTRIES = [
  'shared/features/checks/kinds.vocabulary.ts',
  'shared/features/checks/incidents.vocabulary.ts',
  'shared/features/checks/index.ts',
  'shared/features/checks/readings.vocabulary.ts',
  'db/schema/checks/index.ts',
  'db/drizzle.config.ts',
  'web/features/checks/kinds/check-cards.ts',
  'web/features/checks/kinds/form-parts.ts',
  'web/features/checks/kinds/form-specs.ts',
];
/** Quotes the limits of water outlets, which belong to the check that measures them. */
const QUOTES = ['shared/features/locations/locations-messages.ts'];
/** Sample records and a list of common passwords are data. */
const DATA = ['server/sample-data/', 'server/adapters/auth/common-passwords.ts'];

const kebabs = LOG_KINDS.map(slugOf);
const pascal = (kebab: string) =>
  kebab.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());
/** The forms in which code names a kind: `fire_alarm_test`, `fire-alarm`, `fireAlarm`, `FireAlarm`. */
const NAMES = [
  ...LOG_KINDS,
  ...kebabs.flatMap((kebab) => {
    const name = pascal(kebab);
    return [kebab, kebab.replaceAll('-', '_'), name, name.charAt(0).toLowerCase() + name.slice(1)];
  }),
];

/** Whether a file belongs to one kind: by its name, in a folder for kinds. */
function isOfOneKind(path: string): boolean {
  const folder = /^(shared\/features\/checks\/kinds|web\/features\/checks\/kinds|db\/schema\/checks)\//;
  return folder.test(path) && kebabs.some((kebab) => path.slice(path.lastIndexOf('/') + 1).startsWith(kebab));
}
/** Files of one kind that are named after their subject. */
const OWN_FILES = [
  'shared/features/locations/water-limits.vocabulary.ts',
  'web/features/checks/kinds/rows/temperature-row.tsx',
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

/** The names of kinds in code; comments do not count. */
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
