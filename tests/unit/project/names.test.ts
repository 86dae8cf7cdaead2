import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Names are compared, searched and sorted by their keys (`shared/text/name-keys.ts`) alone: any other way tells apart what looks
// the same.

/** Places that compare something else than names. */
const ALLOWED = [
  // Addresses of people.
  /lower\(\$\{(profiles|t)\.email\}\)/,
  // Days and moments.
  /urgency\([ab]\.schedule\)|\.at \?\? ''/,
];
const STRAY = [
  /\blower\(/,
  /localeCompare|Intl\.Collator/,
  /[nN]ames?\b(\([^)]*\))?\)?(\.trim\(\))?\.(toLowerCase|toUpperCase)\(\)/,
  /\b(search|needle|wanted)(\.trim\(\))?\.toLowerCase\(\)/,
];
/** What is written in small letters there is the header of a column, or the extension of a file. */
const OTHER_NAMES = ['server/features/imports/read-csv.ts', 'server/features/documents/document-key.ts'];

test('no name is compared in another way than by its key', () => {
  const stray = ['shared', 'server', 'db/schema', 'web']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/dist/') && !OTHER_NAMES.includes(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, at) => ({ at: `${file}:${at + 1}`, line: line.trim() })),
    )
    .filter(({ line }) => !/^(\*|\/\/|\/\*)/.test(line))
    .filter(({ line }) => STRAY.some((pattern) => pattern.test(line)))
    .filter(({ line }) => !ALLOWED.some((pattern) => pattern.test(line)));
  expect(stray).toEqual([]);
});
