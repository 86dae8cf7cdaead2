import { archiveUrl } from '#shared/features/documents/document-archive.ts';
import {
  archiveLinkInput,
  createFolderInput,
  createFoldersInput,
  documentBinInput,
  documentIdInput,
  documentLinkInput,
  documentPathInput,
  documentRootInput,
  documentSubtreeInput,
  documentsOfTaskInput,
  listDocumentsInput,
  makeCurrentInput,
  moveDocumentsInput,
  removeDocumentsInput,
  restoreDocumentInput,
  sameNamesInput,
  updateDocumentInput,
} from '#shared/features/documents/documents.ts';
import { requires } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { checkArchive } from './archive.queries.ts';
import { restoreDocument } from './bin.commands.ts';
import { linkToDocument } from './document-link.ts';
import { makeVersionCurrent, updateDocument } from './documents.commands.ts';
import {
  countSubtrees,
  findSameNames,
  listBin,
  listCertificates,
  readDetails,
  readRoot,
  readTrail,
} from './documents.queries.ts';
import { createFolder, createFolders } from './folders.commands.ts';
import { listDocuments } from './list.queries.ts';
import { moveDocuments, removeDocuments } from './selection.commands.ts';

const view = requires('view_logbook');
const manage = requires('manage_building_documents');
const edit = requires('manage_building_documents', { provenByCommand: true });

/** The procedures of documents. Those of disciplines are in a router of their own. */
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
  ofTask: view
    .input(documentsOfTaskInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listCertificates(tx, ctx.actor, input.taskId))),
  subtree: view
    .input(documentSubtreeInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => countSubtrees(tx, ctx.actor, input.ids))),
  // A query, although it stores the last view: a view is not an event.
  link: view.input(documentLinkInput).query(({ ctx, input }) => linkToDocument(ctx, input)),
  archiveLink: view.input(archiveLinkInput).query(async ({ ctx, input }) => {
    const ids = [...new Set(input.ids.map((id) => id.toLowerCase()))];
    await checkArchive(ctx.services.db, ctx.actor, ids);
    return { url: archiveUrl(ids) };
  }),
  bin: manage.input(documentBinInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => listBin(tx, ctx.actor, input, now));
  }),
  sameNames: manage
    .input(sameNamesInput)
    .query(({ ctx, input }) => findSameNames(ctx.services.db, ctx.actor, input)),
  createFolder: manage.input(createFolderInput).mutation(({ ctx, input }) => createFolder(ctx, input)),
  createFolders: manage.input(createFoldersInput).mutation(({ ctx, input }) => createFolders(ctx, input)),
  update: edit.input(updateDocumentInput).mutation(({ ctx, input }) => updateDocument(ctx, input)),
  makeCurrent: manage.input(makeCurrentInput).mutation(({ ctx, input }) => makeVersionCurrent(ctx, input)),
  move: manage.input(moveDocumentsInput).mutation(({ ctx, input }) => moveDocuments(ctx, input)),
  remove: manage.input(removeDocumentsInput).mutation(({ ctx, input }) => removeDocuments(ctx, input)),
  restore: manage.input(restoreDocumentInput).mutation(({ ctx, input }) => restoreDocument(ctx, input)),
};
