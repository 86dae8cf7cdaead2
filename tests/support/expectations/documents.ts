import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type ExpectationsOf, operationId } from './row.ts';

const operation = () => ({ operationId: operationId() });
const general: DocumentPlace = { at: 'discipline', disciplineId: null };

export const documents: Omit<ExpectationsOf<'documents'>, keyof ExpectationsOf<'documents.disciplines'>> = {
  'documents.root': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'documents.list': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ buildingId, folderId }) => ({ buildingId, place: { at: 'folder', folderId } }),
  },
  'documents.path': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ folderId }),
  },
  'documents.byId': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ id: folderId }),
  },
  'documents.ofTask': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ taskId }) => ({ taskId }),
    // A list, empty for callers who may see nothing.
    outcome: 'ok',
  },
  'documents.subtree': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ ids: [folderId] }),
  },
  'documents.archiveLink': {
    kind: 'query',
    needs: 'view_logbook',
    input: ({ folderId }) => ({ ids: [folderId] }),
  },
  'documents.link': {
    kind: 'query',
    needs: 'view_logbook',
    // A folder has no bytes.
    input: ({ folderId }) => ({ id: folderId, as: 'preview' }),
    outcome: 'not_found',
  },
  'documents.bin': {
    kind: 'query',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'documents.sameNames': {
    kind: 'query',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({ buildingId, place: general, names: ['Plan.pdf'] }),
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
  },
  'documents.createFolders': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ buildingId }) => ({ ...operation(), buildingId, place: general, paths: [['Sweep', 'Below']] }),
  },
  'documents.update': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ folderId }) => ({
      ...operation(),
      id: folderId,
      changes: { description: { from: null, to: null } },
    }),
  },
  'documents.makeCurrent': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    // A folder has no versions.
    input: ({ folderId }) => ({ ...operation(), id: folderId, versionId: uuidv7() }),
    outcome: 'not_found',
  },
  'documents.move': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    // Moves the folder to its own place, so that every caller gets the same answer.
    input: ({ buildingId, folderId }) => ({ ...operation(), buildingId, ids: [folderId], to: general }),
  },
  'documents.remove': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ buildingId, deletedFolderId }) => ({ ...operation(), buildingId, ids: [deletedFolderId] }),
  },
  'documents.restore': {
    kind: 'mutation',
    needs: 'manage_building_documents',
    input: ({ folderId }) => ({ ...operation(), id: folderId }),
  },
};
