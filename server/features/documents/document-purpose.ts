import { and, eq, isNotNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents, documentVersions } from '#db/schema/documents.ts';
import { DAY_MS } from '#shared/dates.ts';
import { documentUploadInput } from '#shared/features/documents/documents.ts';
import { BIN_DAYS } from '#shared/features/documents/documents.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { FilePurpose } from '../files/files.writes.ts';
import { uploadRoute } from '../files/uploads.writes.ts';
import { inUse } from './document-filter.ts';
import { storeDocument } from './store-document.ts';
import { DOCUMENT_PURPOSE, forgetUpload, reserveDocument } from './uploads.commands.ts';

/** How long an upload without progress is kept. After a reload, the browser remembers an upload for the same time. */
const UPLOAD_RESTS_DAYS = 7;

/** Declares the files of documents to the files layer. */
export const documentPurpose: FilePurpose = {
  name: DOCUMENT_PURPOSE,
  command: 'documents.store',
  restsMs: UPLOAD_RESTS_DAYS * DAY_MS,
  keptMs: BIN_DAYS * DAY_MS,
  stored: storeDocument,
  mayRead,
  proofsAmong,
  abandoned: forgetUpload,
  erased,
};

/** The upload route of documents. */
export const documentUploads = uploadRoute({
  slug: DOCUMENT_PURPOSE,
  input: documentUploadInput,
  reserve: (ctx, input, { name, bytes, contentType }, within) =>
    reserveDocument(ctx, input, { name, size: bytes, type: contentType }, within),
});

async function mayRead(db: Queryable, actor: Actor, fileId: string): Promise<{ name: string } | undefined> {
  if (!actor.permissions.includes('view_logbook')) return undefined;
  const [found] = await db
    .select({ name: documents.fileName })
    .from(documentVersions)
    .innerJoin(documents, eq(documents.id, documentVersions.documentId))
    .where(and(eq(documentVersions.fileId, fileId), inUse, visibleTo(actor, documents.buildingId)))
    .limit(1);
  return found;
}

async function proofsAmong(db: Queryable, fileIds: readonly string[]): Promise<string[]> {
  const found = await db
    .selectDistinct({ fileId: documentVersions.fileId })
    .from(documentVersions)
    .innerJoin(documents, eq(documents.id, documentVersions.documentId))
    .where(and(isAnyOf(documentVersions.fileId, fileIds), isNotNull(documents.completionId)));
  return found.map(({ fileId }) => fileId);
}

/** Deletes the thumbnails of an erased file. Name, hash, uploader and time stay. */
async function erased(tx: Transaction, fileId: string): Promise<void> {
  await tx.update(documentVersions).set({ thumbnail: null }).where(eq(documentVersions.fileId, fileId));
}
