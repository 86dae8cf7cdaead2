import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFunctions } from '#db/functions.ts';

const FOLDER = 'db/functions';

test('version.json names the files as they are', () => {
  const { files } = JSON.parse(readFileSync(`${FOLDER}/version.json`, 'utf8')) as { files: object };
  // Raise the version when a file changes: otherwise an older process restores the former functions.
  expect(files).toEqual(
    Object.fromEntries(readFunctions(FOLDER).files.map(({ file, hash }) => [file, hash])),
  );
});
