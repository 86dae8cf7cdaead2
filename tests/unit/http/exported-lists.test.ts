import { expect, test } from 'vitest';
import { EXPORTED_LISTS } from '#server/http/downloads/exported-lists.ts';

type Declared = { exportedLists: Readonly<Record<string, object>> };
const files = import.meta.glob<Declared>('../../../server/features/*/*.exports.ts', { eager: true });

test('the server offers every list that a feature exports, each under a name of its own', () => {
  const declared = Object.values(files).flatMap((file) => Object.keys(file.exportedLists));
  expect(declared).toContain('issues');
  expect(Object.keys(EXPORTED_LISTS).sort()).toEqual(declared.sort());
});
