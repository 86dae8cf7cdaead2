import { describe, expect, test } from 'vitest';
import type { Document, DocumentRoot, FolderTrail } from '#shared/features/documents/documents.ts';
import type { Changes } from '#shared/live/live.ts';
import { compareToCursor, foldDocumentRoot, foldTrail } from '#web/features/documents/data/fold-documents.ts';
import type { LiveChange } from '#web/live/types.ts';

const SITE = 'site';
const base: Document = {
  ...{
    id: 'f',
    buildingId: SITE,
    parentFolderId: null,
    folderPath: [],
    isFolder: false,
    fileName: 'Plan.pdf',
  },
  ...{
    description: null,
    disciplineId: 'fire',
    folderColor: null,
    fileType: 'application/pdf',
    fileSize: 10,
  },
  ...{ sha256: 'x', currentVersion: 1, hasThumbnail: false, expiresOn: null, proof: null, uploadedBy: 'p' },
  ...{ uploadedByName: 'Ann', uploadedAt: '2026-11-01T00:00:00.000Z', modifiedByName: null },
  ...{
    modifiedAt: '2026-11-01T00:00:00.000Z',
    deletedAt: null,
    deletedByName: null,
    deletedWith: null,
    version: 1,
  },
};
const put = (row: Document, changes: Changes | null = null): LiveChange<'document'> => ({
  ...{ g: 1, outboxId: 'o', at: base.uploadedAt, actor: 'p', command: 'documents.update', operationId: null },
  ...{ entity: 'document', entityId: row.id, op: 'put', version: row.version, row, changes },
});
const none = { files: 0, folders: 0, bytes: 0, expired: 0, expiresSoon: 0 };
const root: DocumentRoot = {
  today: '2026-11-23',
  disciplines: [
    { ...none, disciplineId: 'fire', name: 'Fire', isActive: true, files: 1, bytes: 10 },
    { ...none, disciplineId: 'gas', name: 'Gas', isActive: false, files: 1, bytes: 5 },
  ],
};
const countsOf = (after: DocumentRoot | 'refetch') =>
  after === 'refetch' ? after : after.disciplines.map(({ files, folders, bytes }) => [files, folders, bytes]);

describe('the counts of disciplines', () => {
  test('follow a new file and a new folder', () => {
    const another = { ...base, id: 'g', fileSize: 7 };
    expect(countsOf(foldDocumentRoot(root, put(another), SITE))).toEqual([
      [2, 0, 17],
      [1, 0, 5],
    ]);
    const folder = { ...base, id: 'h', isFolder: true, fileSize: null };
    expect(countsOf(foldDocumentRoot(root, put(folder), SITE))).toEqual([
      [1, 1, 10],
      [1, 0, 5],
    ]);
  });

  test('follow a deletion and a restoration, and leave an inactive discipline out when it is empty', () => {
    const deletedAt = '2026-11-23T00:00:00.000Z';
    const deleted = { ...base, deletedAt, version: 2 };
    expect(countsOf(foldDocumentRoot(root, put(deleted, { deletedAt: [null, deletedAt] }), SITE))).toEqual([
      [0, 0, 0],
      [1, 0, 5],
    ]);
    const last = { ...deleted, disciplineId: 'gas', fileSize: 5 };
    expect(countsOf(foldDocumentRoot(root, put(last, { deletedAt: [null, deletedAt] }), SITE))).toEqual([
      [1, 0, 10],
    ]);
  });

  test('follow an expiry date', () => {
    const dated = { ...base, expiresOn: '2026-11-22', version: 2 };
    const after = foldDocumentRoot(root, put(dated, { expiresOn: [null, '2026-11-22'] }), SITE);
    expect(after).toMatchObject({ disciplines: [{ expired: 1, expiresSoon: 0 }, {}] });
  });

  test('are asked for again after a move, a new version, and a file in a discipline that was not shown', () => {
    const moved = { ...base, version: 2 };
    expect(foldDocumentRoot(root, put(moved, { place: ['Gas', 'Fire'] }), SITE)).toBe('refetch');
    expect(foldDocumentRoot(root, put(moved, { currentVersion: [1, 2] }), SITE)).toBe('refetch');
    expect(foldDocumentRoot(root, put({ ...base, disciplineId: null }), SITE)).toBe('refetch');
  });

  test('stay the same object for a new name and for another building', () => {
    const renamed = { ...base, fileName: 'B', version: 2 };
    expect(foldDocumentRoot(root, put(renamed, { fileName: ['A', 'B'] }), SITE)).toEqual(root);
    expect(foldDocumentRoot(root, put(base), 'elsewhere')).toBe(root);
  });
});

describe('the way to a folder', () => {
  const trail: FolderTrail = {
    ...{ buildingId: SITE, disciplineId: 'fire' },
    folders: [
      { id: 'a', fileName: 'A', folderColor: 'blue' },
      { id: 'b', fileName: 'B', folderColor: 'red' },
    ],
  };
  const folder: Document = {
    ...base,
    id: 'b',
    isFolder: true,
    folderPath: ['a'],
    fileName: 'C',
    folderColor: 'red',
  };

  test('has new names at once, and is asked for again after a move or a deletion', () => {
    expect(foldTrail(trail, put(folder))).toMatchObject({ folders: [{ fileName: 'A' }, { fileName: 'C' }] });
    expect(foldTrail(trail, put({ ...folder, folderPath: [] }))).toBe('refetch');
    expect(foldTrail(trail, put({ ...folder, deletedAt: base.uploadedAt }))).toBe('refetch');
    expect(foldTrail(trail, put(base))).toBe(trail);
  });
});

test('a row is before or after the last row of a page as its keys say', () => {
  const at = (keys: string[]) => ({ isFolder: false, keys, id: 'f' });
  const byName = { sort: 'name', direction: 'asc' } as const;
  expect(compareToCursor(byName, base, at(['plan.pdf']))).toBe(0);
  expect(compareToCursor(byName, base, at(['plan 0000000002.pdf']))).toBeGreaterThan(0);
  expect(compareToCursor(byName, { ...base, isFolder: true }, at(['a']))).toBeLessThan(0);
  const bySize = { sort: 'size', direction: 'desc' } as const;
  expect(compareToCursor(bySize, base, at(['9', 'plan.pdf']))).toBeLessThan(0);
  expect(compareToCursor(bySize, base, at(['100', 'plan.pdf']))).toBeGreaterThan(0);
});
