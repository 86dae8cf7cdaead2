import { expect, test } from 'vitest';
import { sourceFiles, textOf } from '#tests/support/code/imports.ts';

/** Calls that read the device's clock, which may be wrong. */
const BARE = /\bDate\.now\(\)|\bnew Date\(\)/;

/** Files that need the device's own time: it is recorded with a reading of the server's clock, or compared with itself. */
const MEANT: Record<string, string> = {
  'web/features/checks/recording/check-form.tsx': 'what is recorded keeps the time of the device',
  'web/features/checks/recording/use-check-draft.ts': 'what is recorded keeps the time of the device',
  'web/features/sync/sync-notices.tsx': 'the age of a record, by the clock that stamped it',
};

test('what a screen shows or offers goes by the server’s time, not by the clock of the device', () => {
  const found = ['web/features', 'web/ui'].flatMap(sourceFiles).filter((path) => BARE.test(textOf(path)));
  expect(found.sort()).toEqual(Object.keys(MEANT).sort());
});
