import { describe, expect, test } from 'vitest';
import {
  compareDocuments,
  type DocumentFilter,
  matchesDocumentFilter,
} from '#shared/features/documents/document-filter.ts';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';

const TODAY = '2026-11-23';
const FIRE: DocumentPlace = { at: 'discipline', disciplineId: 'fire' };

type Row = Parameters<typeof matchesDocumentFilter>[1];
function row(fileName: string, values: Partial<Row> = {}): Row {
  const inFire = { parentFolderId: null, folderPath: [], disciplineId: 'fire' };
  return {
    buildingId: 'b1',
    isFolder: false,
    fileName,
    expiresOn: null,
    deletedAt: null,
    ...inFire,
    ...values,
  };
}
const plans = { parentFolderId: 'plans', folderPath: ['plans'] };
const ROWS = [
  row('Roof 100%', { parentFolderId: 'roofs', folderPath: ['plans', 'roofs'] }),
  row('Roofs', { ...plans, isFolder: true }),
  row('Letter', { expiresOn: '2026-11-22' }),
  row('Report', { expiresOn: '2026-11-23' }),
  row('Survey', { expiresOn: '2026-12-23' }),
  row('Lease', { expiresOn: '2026-12-24', disciplineId: null }),
  row('Fire door', { disciplineId: null, deletedAt: '2026-11-01T00:00:00.000Z' }),
  row('Fire panel', { buildingId: 'b2' }),
];
function found(values: Partial<DocumentFilter>): string[] {
  const whole = { buildingId: 'b1', place: { at: 'building' }, search: '', expiry: 'all' } as const;
  const filter: DocumentFilter = { ...whole, foldersOnly: false, ...values };
  const options = { disciplineName: () => 'Fire Safety', today: TODAY };
  return ROWS.filter((one) => matchesDocumentFilter(filter, one, options)).map(({ fileName }) => fileName);
}

describe('a list of documents', () => {
  test('without a search is what lies directly in its place', () => {
    expect(found({ place: FIRE })).toEqual(['Letter', 'Report', 'Survey']);
    expect(found({ place: { at: 'folder', folderId: 'plans' } })).toEqual(['Roofs']);
  });

  test('of a building is all that is in it', () => {
    expect(found({})).toEqual(['Roof 100%', 'Roofs', 'Letter', 'Report', 'Survey', 'Lease']);
  });

  test('is searched by name and by discipline, whatever the case: the whole building, or below a folder', () => {
    expect(found({ search: ' ROOF ' })).toEqual(['Roof 100%', 'Roofs']);
    expect(found({ search: '100%' })).toEqual(['Roof 100%']);
    expect(found({ search: 'fire safety' })).toEqual(['Roof 100%', 'Roofs', 'Letter', 'Report', 'Survey']);
    expect(found({ search: 'general' })).toEqual(['Lease']);
    expect(found({ search: 'fire', place: { at: 'folder', folderId: 'plans' } })).toEqual([
      'Roof 100%',
      'Roofs',
    ]);
  });

  test('is searched for beginnings by less than three letters or digits in a row', () => {
    expect(found({ search: 'ro' })).toEqual(['Roof 100%', 'Roofs']);
    expect(found({ search: 'oo' })).toEqual([]);
    expect(found({ search: 'oof' })).toEqual(['Roof 100%', 'Roofs']);
    expect(found({ search: 'f 1' })).toEqual([]);
    expect(found({ search: 'G' })).toEqual(['Lease']);
    expect(found({ search: 'fi' })).toEqual(['Roof 100%', 'Roofs', 'Letter', 'Report', 'Survey']);
  });

  test('by expiry begins and ends with the day itself', () => {
    expect(found({ expiry: 'expired' })).toEqual(['Letter']);
    expect(found({ expiry: 'expires_soon' })).toEqual(['Report', 'Survey']);
    expect(found({ expiry: 'has_expiry' })).toEqual(['Letter', 'Report', 'Survey', 'Lease']);
  });

  test('has folders first in either direction, and what is equal by its name', () => {
    const files = [
      { id: '1', fileName: 'Plan 10', fileSize: 5 },
      { id: '2', fileName: 'plan 2', fileSize: 5 },
      { id: '3', fileName: 'Annex', fileSize: 1_000 },
      { id: '4', fileName: 'Zebra', fileSize: null, isFolder: true },
    ].map((one) => ({ isFolder: false, modifiedAt: `2026-11-0${one.id}`, ...one }));
    const sorted = (...[sort, direction]: ['name' | 'size' | 'modified', 'asc' | 'desc']) =>
      files.toSorted((a, b) => compareDocuments({ sort, direction }, a, b)).map(({ fileName }) => fileName);
    expect(sorted('name', 'asc')).toEqual(['Zebra', 'Annex', 'plan 2', 'Plan 10']);
    expect(sorted('name', 'desc')).toEqual(['Zebra', 'Plan 10', 'plan 2', 'Annex']);
    expect(sorted('size', 'asc')).toEqual(['Zebra', 'plan 2', 'Plan 10', 'Annex']);
    expect(sorted('modified', 'desc')).toEqual(['Zebra', 'Annex', 'plan 2', 'Plan 10']);
  });
});
