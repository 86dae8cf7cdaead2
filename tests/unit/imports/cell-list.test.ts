import { expect, test } from 'vitest';
import { referencesOf } from '#shared/features/locations/building-references.ts';
import { formatCellList, parseCellList } from '#shared/text/cell-list.ts';
import { seededRandom } from '#tests/support/random.ts';

test.each([
  ['', []],
  [' ; ;', []],
  ['Mill', ['Mill']],
  [' Mill ;Quay;;  ', ['Mill', 'Quay']],
  ['"North; East" ; Mill', ['North; East', 'Mill']],
  ['"The ""Wharf"""', ['The "Wharf"']],
  // Quotation marks are removed only if they enclose a whole name.
  ['"Old" Mill; The "Wharf"', ['"Old" Mill', 'The "Wharf"']],
  ['"Open; Mill', ['"Open', 'Mill']],
])('%j is read as %j', (text, items) => {
  expect(parseCellList(text)).toEqual(items);
});

test('names come back as they were, whatever signs they have', () => {
  const random = seededRandom('cell lists');
  for (let n = 0; n < 500; n += 1) {
    const items = Array.from({ length: 1 + random.below(4) }, () =>
      Array.from({ length: 1 + random.below(6) }, () => random.pick(['"', ';', ' ', '/', 'a', "'"])).join(''),
    ).map((item) => `x${item}y`.slice(random.below(2)).trim());
    expect(parseCellList(formatCellList(items))).toEqual(items);
  }
});

test('a building is named so that no other is meant', () => {
  const building = (id: string, clientName: string, name: string, code: string) => ({
    id,
    clientName,
    name,
    code,
  });
  const references = referencesOf([
    building('1', 'Acme', 'Mill', 'MIL'),
    building('2', 'Beta', 'MILL', 'MIL2'),
    building('3', 'Acme', 'Quay', 'QUA'),
    building('4', 'Beta', 'Gate', 'GAT'),
    building('5', 'Beta', 'Gate', 'GAT2'),
    building('6', 'Acme', 'Beta / Mill', 'BET'),
  ]);
  expect(Object.fromEntries(references)).toEqual({
    1: 'Acme / Mill',
    2: 'Beta / MILL (MIL2)',
    3: 'Quay',
    4: 'Beta / Gate (GAT)',
    5: 'Beta / Gate (GAT2)',
    6: 'Acme / Beta / Mill',
  });
});
