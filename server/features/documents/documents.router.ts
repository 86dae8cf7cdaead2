import {
  createFolderInput,
  createFoldersInput,
  documentBinInput,
  documentIdInput,
  documentPathInput,
  documentRootInput,
  documentSubtreeInput,
  listDocumentsInput,
  moveDocumentsInput,
  removeDocumentsInput,
  restoreDocumentInput,
  sameNamesInput,
  updateDocumentInput,
} from '#shared/features/documents.ts';
import { requires } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { moveDocuments, removeDocuments, restoreDocument, updateDocument } from './documents.commands.ts';
import {
  countSubtrees,
  findSameNames,
  listBin,
  listDocuments,
  readDetails,
  readRoot,
  readTrail,
} from './documents.queries.ts';
import { createFolder, createFolders } from './folders.commands.ts';

const view = requires('view_logbook');
const manage = requires('manage_building_documents');

/** The procedures of documents; those of disciplines stand beside them. */
export const documentProcedures = {
  root: view.input(documentRootInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => readRoot(tx, ctx.actor, input.buildingId, now));
  }),
  list: view.input(listDocumentsInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => listDocuments(tx, ctx.actor, input, now));
  }),
  path: view
    .input(documentPathInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => readTrail(tx, ctx.actor, input.folderId))),
  byId: view
    .input(documentIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => readDetails(tx, ctx.actor, input.id))),
  subtree: view
    .input(documentSubtreeInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => countSubtrees(tx, ctx.actor, input.ids))),
  bin: manage.input(documentBinInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => listBin(tx, ctx.actor, input, now));
  }),
  sameNames: manage
    .input(sameNamesInput)
    .query(({ ctx, input }) => findSameNames(ctx.services.db, ctx.actor, input)),
  createFolder: manage.input(createFolderInput).mutation(({ ctx, input }) => createFolder(ctx, input)),
  createFolders: manage.input(createFoldersInput).mutation(({ ctx, input }) => createFolders(ctx, input)),
  update: manage.input(updateDocumentInput).mutation(({ ctx, input }) => updateDocument(ctx, input)),
  move: manage.input(moveDocumentsInput).mutation(({ ctx, input }) => moveDocuments(ctx, input)),
  remove: manage.input(removeDocumentsInput).mutation(({ ctx, input }) => removeDocuments(ctx, input)),
  restore: manage.input(restoreDocumentInput).mutation(({ ctx, input }) => restoreDocument(ctx, input)),
};
