import { describe, expect, test } from 'vitest';
import { agreesWith, matcher } from '#server/features/imports/import-plan.ts';
import { ROW_READERS } from '#server/features/imports/row-readers.ts';
import { plainFloors } from '#server/features/locations/locations.exports.ts';
import {
  countRows,
  IMPORT_KINDS,
  IMPORTS,
  type ImportSkip,
} from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';

describe('a row of a file beside the rows here with its key', () => {
  type Row = { size: string; colour: string };
  function outcomes(here: Row[], file: Row[], columns = ['Size', 'Colour']) {
    const isHere = matcher<Row>(new Set(columns));
    return file.map((row) => {
      const told: string[] = [];
      const looked = {
        here: () => void told.push('here'),
        fault: (column: string | null, text: string) => void told.push(`${column}: ${text}`),
      };
      const left = isHere(looked, here, ({ size, colour }) => [
        { column: 'Size', same: size === row.size, here: size },
        { column: 'Colour', same: colour === row.colour, here: colour },
      ]);
      return left ? told : 'new';
    });
  }
  const [red, blue, bare] = ['red', 'blue', ''].map((colour) => ({ size: 'S', colour }));
  if (red === undefined || blue === undefined || bare === undefined) throw new Error('no rows');

  test.each([
    ['is new without any', [], [red], ['new']],
    ['is here if one is equal', [red], [red], [['here']]],
    ['tells what stands there', [blue], [red], [[`Colour: ${importMessages.differs('blue')}`]]],
    ['tells that nothing stands there', [bare], [red], [[`Colour: ${importMessages.differs('')}`]]],
    ['means the equal one of several, in any order', [red, blue], [blue, red], [['here'], ['here']]],
    ['is met once by each', [red], [red, red], [['here'], 'new']],
  ])('%s', (_what, here, file, expected) => {
    expect(outcomes(here, file)).toEqual(expected);
  });

  test('says nothing where the file has no such column', () => {
    expect(outcomes([blue], [red], ['Size'])).toEqual([['here']]);
  });
});

test.each([
  [null, null, true],
  ['2026-11-04', null, true],
  ['2026-11-04', '2026-11-04', true],
  ['2026-11-04', '2026-10-01', true],
  ['2026-11-04', '2026-11-05', false],
  [null, '2026-11-05', false],
])('a last visit of %s tells one of %s: %s', (here, day, told) => {
  expect(agreesWith(here, day)).toBe(told);
});

test.each([
  ['Nov 04, 2026', '2026-11-04'],
  ['feb 28, 2026', '2026-02-28'],
  ['2026-11-04', '2026-11-04'],
  ['04/11/2026', '2026-11-04'],
  ['Never', null],
  ['', null],
])('the last visit %j is %j', (cell, day) => {
  const cells = { 'Building Name': 'Mill', Name: 'Lamp', Description: 'A lamp', 'Last Visit': cell };
  expect(ROW_READERS.assets(cells, (_column, text) => expect.fail(text))?.lastVisitDate).toBe(day);
});

test.each(['Nov 31, 2026', 'Nev 04, 2026', 'Nov 4 2026'])('%s is no date', (cell) => {
  const faults: (string | null)[] = [];
  const cells = { 'Building Name': 'Mill', Name: 'Lamp', Description: 'A lamp', 'Last Visit': cell };
  expect(ROW_READERS.assets(cells, (column) => void faults.push(column))).toBeUndefined();
  expect(faults).toEqual(['Last Visit']);
});

test('the columns Floors and Basement of an export say exactly the floors, or nothing', () => {
  const [basement, ground, first, second] = ['Basement', 'Ground Floor', '1st Floor', '2nd Floor'].map(
    (name, at) => ({ level: at - 1, name }),
  );
  if (basement === undefined || ground === undefined || first === undefined || second === undefined)
    throw new Error('no floors');
  expect(plainFloors([])).toEqual([null, 'No']);
  expect(plainFloors([basement])).toEqual([null, 'Yes']);
  expect(plainFloors([second, ground, first])).toEqual([3, 'No']);
  expect(plainFloors([basement, ground])).toEqual([1, 'Yes']);
  expect(plainFloors([ground, second])).toEqual([null, null]);
  expect(plainFloors([ground, { level: 1, name: 'Roof' }])).toEqual([null, null]);
  expect(plainFloors([ground, { level: -2, name: 'Basement 2' }])).toEqual([null, null]);
});

test('sentences count what is stored, what is here and what is left out', () => {
  const { nothingNew, outcome, skipped } = importMessages;
  expect(nothingNew({ here: 1200, ended: 0 })).toBe('All 1,200 rows are here already. Nothing was changed.');
  expect(nothingNew({ here: 1, ended: 0 })).toBe('The row is here already. Nothing was changed.');
  expect(nothingNew({ here: 3, ended: 2 })).toBe(
    'None of the 5 rows is new. 3 rows are here already. 2 rows are no longer in use and left out. Nothing was changed.',
  );
  expect(outcome({ count: 0, skipped: { here: 2, ended: 0 } })).toBe(nothingNew({ here: 2, ended: 0 }));
  expect(outcome({ count: 2 })).toBe(importMessages.done(2));
  expect(skipped({ here: 1, ended: 1 })).toBe(
    '1 row is here already. 1 row is no longer in use and left out.',
  );
  expect(skipped({ here: 0, ended: 0 })).toBe('');
  expect(importMessages.noted(1)).toBe('1 row will differ from the file, as shown below.');
  expect(importMessages.differs(`a\n${'b'.repeat(100)}`)).toContain(`“a ${'b'.repeat(78)}…”`);
  const rows = (['here', null, 'retired', 'here', 'deactivated'] as (ImportSkip | null)[]).map((skip) => ({
    skip,
  }));
  expect(countRows(rows)).toEqual({ added: 1, here: 2, ended: 2 });
});

test('a column is imported or passed over, never both', () => {
  for (const kind of IMPORT_KINDS) {
    const { columns, passedOver, ended } = IMPORTS[kind];
    const names = [...columns.map(({ name }) => name), ...passedOver, ...(ended ? [ended.column] : [])];
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  }
});
