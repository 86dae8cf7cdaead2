import { expect, test } from 'vitest';
import {
  type DocumentsState,
  documentsUrl,
  folderOf,
  placeOf,
  ROOT,
  sortedBy,
} from '#web/features/documents/documents-url.ts';

const BUILDING = '018f0000-0000-7000-8000-0000000000b1';
const FOLDER = '018f0000-0000-7000-8000-0000000000f1';
const read = (query: string) => documentsUrl.read(new URLSearchParams(query));

test('an address without parameters is the root, as a grid by name', () => {
  const state = read('');
  expect(state).toMatchObject({ building: null, place: ROOT, view: 'grid', sort: 'name', direction: 'asc' });
  expect(documentsUrl.write(state).toString()).toBe('');
});

test('every state is read back from its address, beside the parameters of the screen around it', () => {
  const state: DocumentsState = {
    ...{ building: BUILDING, place: { at: 'folder', folderId: FOLDER }, view: 'list' },
    ...{
      sort: 'size',
      direction: 'desc',
      search: 'a & b',
      expiry: 'expired',
      bin: true,
      upload: false,
      document: FOLDER,
    },
  };
  const params = documentsUrl.write(state, { tab: 'documents' });
  expect(params.get('tab')).toBe('documents');
  expect(documentsUrl.read(params)).toEqual(state);
});

test.each([
  [null, ROOT],
  ['', ROOT],
  ['nonsense', ROOT],
  ['discipline_nonsense', ROOT],
  ['discipline_general', { at: 'discipline', disciplineId: null }],
  [`discipline_${FOLDER.toUpperCase()}`, { at: 'discipline', disciplineId: FOLDER }],
  [FOLDER, { at: 'folder', folderId: FOLDER }],
])('the folder %j of an address is the place %j', (folder, place) => {
  expect(placeOf(folder)).toEqual(place);
});

test('a place has one name in addresses', () => {
  for (const name of ['discipline_general', `discipline_${FOLDER}`, FOLDER]) {
    expect(folderOf(placeOf(name))).toBe(name);
  }
  expect(folderOf(ROOT)).toBeNull();
});

test('without a building there is no folder', () => {
  expect(read(`folder=${FOLDER}`).place).toEqual(ROOT);
});

test('the same column flips, another one begins ascending (case 3)', () => {
  const flipped = sortedBy({ sort: 'name', direction: 'asc' }, 'name');
  expect(flipped).toEqual({ sort: 'name', direction: 'desc' });
  expect(sortedBy(flipped, 'name')).toEqual({ sort: 'name', direction: 'asc' });
  expect(sortedBy(flipped, 'size')).toEqual({ sort: 'size', direction: 'asc' });
});
