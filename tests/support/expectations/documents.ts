import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import {
  ARCHIVE_SELECTION_MAX,
  DOCUMENT_PAGE_MAX,
  DOCUMENT_SELECTION_MAX,
  FOLDER_DEPTH_MAX,
  FOLDER_PATHS_MAX,
} from '#shared/features/documents/documents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { LargestData } from '#tests/bench/data/largest-data.ts';
import { part, sameRow, textOf } from './largest.ts';
import { type ExpectationsOf, operation } from './row.ts';

const general: DocumentPlace = { at: 'discipline', disciplineId: null };

const place = ({ documents }: LargestData) => ({ at: 'folder', folderId: documents.largeFolderId }) as const;
const discipline = ({ documents }: LargestData) =>
  ({ at: 'discipline', disciplineId: documents.disciplineId }) as const;
const described = (n: number) => `${textOf(1_900)} ${n}`;

export const documents: Omit<ExpectationsOf<'documents'>, keyof ExpectationsOf<'documents.disciplines'>> = {
  'documents.root': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ documents }) => ({ buildingId: documents.buildingId }),
  },
  'documents.list': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId, folderId }) => ({ buildingId, place: { at: 'folder', folderId } }),
    largest: (data) => ({
      buildingId: data.documents.buildingId,
      place: { at: 'building' },
      search: 'part',
      limit: DOCUMENT_PAGE_MAX,
    }),
  },
  'documents.path': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ folderId }),
    largest: ({ documents }) => ({ folderId: documents.largeFolderId }),
  },
  'documents.byId': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ id: folderId }),
    largest: ({ documents }) => ({ id: documents.documentId }),
  },
  'documents.ofTask': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ taskId }) => ({ taskId }),
    // The answer is a list, which is empty for callers who may see nothing.
    outcome: 'ok',
    largest: ({ taskId }) => ({ taskId }),
  },
  'documents.subtree': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ ids: [folderId] }),
    largest: ({ documents }) => ({
      ids: [documents.archived, documents.largeFolderId, ...documents.some].slice(0, DOCUMENT_SELECTION_MAX),
    }),
  },
  'documents.archiveLink': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ ids: [folderId] }),
    largest: ({ documents }) => ({
      ids: documents.some.slice(0, ARCHIVE_SELECTION_MAX),
    }),
  },
  'documents.link': {
    kind: 'query',
    needs: 'view_logbook',
    // A folder has no bytes.
    input: ({ folderId }) => ({ id: folderId, as: 'preview' }),
    outcome: 'not_found',
    largest: ({ documents }) => ({ id: documents.documentId, as: 'preview' }),
  },
  'documents.bin': {
    kind: 'query',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ documents }) => ({ buildingId: documents.buildingId, limit: DOCUMENT_PAGE_MAX }),
  },
  'documents.sameNames': {
    kind: 'query',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({ buildingId, place: general, names: ['Plan.pdf'] }),
    largest: (data) => ({
      buildingId: data.documents.buildingId,
      place: place(data),
      names: Array.from({ length: FOLDER_PATHS_MAX }, (_, n) => `${textOf(150)} ${n}.pdf`),
    }),
  },
  'documents.createFolder': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId,
      place: general,
      name: `Sweep ${uuidv7()}`,
    }),
    largest: (data) => ({
      ...operation(),
      id: uuidv7(),
      buildingId: data.documents.buildingId,
      place: place(data),
      name: `Folder ${uuidv7()}`,
    }),
  },
  'documents.createFolders': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({ ...operation(), buildingId, place: general, paths: [['Sweep', 'Below']] }),
    largest: (data, n) => ({
      ...operation(),
      buildingId: data.documents.buildingId,
      place: discipline(data),
      paths: Array.from({ length: FOLDER_PATHS_MAX }, (_, at) => [
        ...Array.from({ length: FOLDER_DEPTH_MAX - 12 }, (_level, depth) => `Level ${n} ${depth}`),
        `Folder ${at}`,
      ]),
    }),
  },
  'documents.update': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    declares: { provenByCommand: true },
    input: ({ folderId }) => ({
      ...operation(),
      id: folderId,
      changes: { description: { from: null, to: null } },
    }),
    largest: ({ documents }, n) => ({
      ...operation(),
      id: documents.documentId,
      changes: { description: { from: n === 0 ? null : described(n - 1), to: described(n) } },
    }),
  },
  'documents.makeCurrent': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    // A folder has no versions.
    input: ({ folderId }) => ({ ...operation(), id: folderId, versionId: uuidv7() }),
    outcome: 'not_found',
    largest: ({ documents }) => ({
      ...operation(),
      id: documents.documentId,
      versionId: documents.versionId,
    }),
  },
  'documents.move': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    // Moves the folder to its own place, so that every caller gets the same answer.
    input: ({ buildingId, folderId }) => ({ ...operation(), buildingId, ids: [folderId], to: general }),
    largest: (data, n) => ({
      ...operation(),
      buildingId: data.documents.buildingId,
      ids: part(data.documents.some, DOCUMENT_SELECTION_MAX, n % 2),
      to: discipline(data),
    }),
  },
  'documents.remove': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ buildingId, deletedFolderId }) => ({ ...operation(), buildingId, ids: [deletedFolderId] }),
    // A folder with as many entries as an archive may have; `documents.restore` restores it.
    largest: ({ documents }) => ({
      ...operation(),
      buildingId: documents.buildingId,
      ids: [documents.archived],
    }),
  },
  'documents.restore': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ folderId }) => ({ ...operation(), id: folderId }),
    largest: sameRow(({ documents }) => documents.archived),
  },
};
