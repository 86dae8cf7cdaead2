import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const LAYERS = ['shared', 'db', 'server', 'web', 'scripts', 'tests', 'docs'];
/** More files than this in one folder are hard to look through. */
const FILES_MAX = 25;
/** Folders whose files are found by their numbers, and folders of build output. */
const EXCEPT = ['docs/decisions', 'db/migrations', 'db/migrations/meta', 'web/dist'];

/** A folder and the folders below it, with the number of files in each. */
function countsIn(folder: string): [folder: string, files: number][] {
  if (EXCEPT.includes(folder)) return [];
  const entries = readdirSync(`${root}${folder}`, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory());
  return [
    [folder, entries.length - below.length],
    ...below.flatMap(({ name }) => countsIn(`${folder}/${name}`)),
  ];
}

test(`no folder has more than ${FILES_MAX} files`, () => {
  const counts = LAYERS.flatMap(countsIn);
  expect(counts.filter(([, files]) => files > FILES_MAX)).toEqual([]);
  expect(counts.length).toBeGreaterThan(50);
});
