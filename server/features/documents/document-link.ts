import { and, desc, eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { documents, documentVersions, documentViews } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type { DocumentLink, DocumentLinkInput } from '#shared/features/documents/documents.ts';
import { fullName } from '#shared/text/names.ts';
import type { Actor } from '../../access/actor.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { fileLink, LINK_SECONDS } from '../files/files.queries.ts';
import { visibleDocument } from './documents.queries.ts';

/**
 * Makes the address of a version's bytes, of the current version unless another is named. A preview is stored as the last
 * view.
 * @throws AppError `not_found` for a folder, a version of another document, or a document that the person may not see
 */
export async function linkToDocument(ctx: SignedInContext, input: DocumentLinkInput): Promise<DocumentLink> {
  const { services, actor } = ctx;
  const now = services.clock.now();
  const { documentId, fileId } = await findDocumentFile(services.db, actor, input);
  const url = fileLink(services, actor, fileId, input.as === 'preview' ? 'inline' : 'attachment');
  if (input.as === 'preview') {
    const seen = { at: now.toISOString(), byName: fullName(actor) };
    await services.db
      .insert(documentViews)
      .values({ documentId, ...seen })
      .onConflictDoUpdate({ target: documentViews.documentId, set: seen });
  }
  return { url, expiresAt: new Date(now.getTime() + LINK_SECONDS * 1_000).toISOString() };
}

/**
 * Finds the file of a version: of the current version unless another is named.
 * @throws AppError `not_found` for a folder, a version of another document, or a document that the person may not see
 */
export async function findDocumentFile(
  db: Queryable,
  actor: Actor,
  { id, versionId }: Pick<DocumentLinkInput, 'id' | 'versionId'>,
): Promise<{ documentId: string; fileId: string; fileName: string }> {
  const [found] = await db
    .select({
      documentId: documents.id,
      fileId: documentVersions.fileId,
      fileName: documents.fileName,
    })
    .from(documents)
    .innerJoin(documentVersions, eq(documentVersions.documentId, documents.id))
    .where(
      and(
        visibleDocument(actor, id),
        versionId === undefined ? undefined : eq(documentVersions.id, versionId),
      ),
    )
    .orderBy(desc(documentVersions.number))
    .limit(1);
  if (found === undefined) throw new AppError('not_found');
  return found;
}
