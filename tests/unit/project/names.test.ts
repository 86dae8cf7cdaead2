import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Names are compared, searched and sorted only by their keys (`shared/text/name-keys.ts`): any other way distinguishes
// names that look the same.

/** Code that compares something other than names. */
const ALLOWED = [
  // Email addresses of people.
  /lower\(\$\{(profiles|t)\.email\}\)/,
  // Days and times.
  /urgency\([ab]\.schedule\)|\.at \?\? ''/,
];
const STRAY = [
  /\blower\(/,
  /localeCompare|Intl\.Collator/,
  /[nN]ames?\b(\([^)]*\))?\)?(\.trim\(\))?\.(toLowerCase|toUpperCase)\(\)/,
  /\b(search|needle|wanted)(\.trim\(\))?\.toLowerCase\(\)/,
];
/** These files convert headers of columns, or extensions of files, to lower case. */
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
