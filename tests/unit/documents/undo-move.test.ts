import { expect, test } from 'vitest';
import type { Document } from '#shared/features/documents/documents.ts';
import { undoMove } from '#web/features/documents/undo-move.ts';

const base = { buildingId: 'site', fileName: 'Plan.pdf', disciplineId: 'fire', parentFolderId: null };
// The cast: only these fields of a document are read.
const document = (values: Partial<Document>) => ({ ...base, ...values }) as Document;

test('what came from several places goes back to each, and gets the name that it had', () => {
  const moved = [
    document({ id: 'a' }),
    document({ id: 'b', parentFolderId: 'f' }),
    document({ id: 'c', fileName: 'Letter.pdf' }),
    document({ id: 'd', disciplineId: null }),
  ];
  expect(undoMove(moved, [{ id: 'c', fileName: 'Letter (2).pdf' }])).toEqual({
    moves: [
      { ids: ['a', 'c'], to: { at: 'discipline', disciplineId: 'fire' } },
      { ids: ['b'], to: { at: 'folder', folderId: 'f' } },
      { ids: ['d'], to: { at: 'discipline', disciplineId: null } },
    ],
    renames: [{ id: 'c', fileName: { from: 'Letter (2).pdf', to: 'Letter.pdf' } }],
  });
});

test('what came from too many places is not taken back at once', () => {
  const moved = Array.from({ length: 11 }, (_, n) => document({ id: `${n}`, parentFolderId: `f${n}` }));
  expect(undoMove(moved.slice(1), [])?.moves).toHaveLength(10);
  expect(undoMove(moved, [])).toBeUndefined();
});
