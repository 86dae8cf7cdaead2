import { and, eq, or, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { documents } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type {
  Document,
  DocumentsChanged,
  RestoreDocumentInput,
} from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { restoreFiles } from '../files/files.writes.ts';
import { inUse, isBelow, isRestorable } from './document-filter.ts';
import type { Container } from './document-places.ts';
import { countWhere, filesDeletedWith, readDocuments } from './document-row.ts';
import { lockDocument, relocate } from './document-tree.ts';
import { changedAnswer, recordSelection } from './record-documents.ts';

/**
 * Restores a document from the bin, with everything that was deleted with it: to its old folder, or to the top of its discipline
 * if that folder was deleted. A name that is taken there gets a number. Does nothing if the document is not deleted.
 * @throws AppError `not_found` if it was deleted too long ago, or as part of a folder
 */
export function restoreDocument(
  ctx: SignedInContext,
  input: RestoreDocumentInput,
): Promise<DocumentsChanged> {
  return runCommand(ctx, 'documents.restore', input, async (command) => {
    const { tx } = command;
    const root = await lockDocument(
      command,
      input.id,
      or(inUse, isRestorable(command.now)),
      documentMessages.notInBin,
    );
    if (root.deletedAt === null) return changedAnswer(command, [], { files: 0, folders: 0 });
    const below = await countWhere(tx, and(eq(documents.deletedWith, root.id), isBelow(root.id)));
    await restoreBytes(command, root.id);
    const renamed = await relocate(tx, [root], await homeOf(tx, root));
    await tx
      .update(documents)
      .set({
        deletedAt: null,
        deletedByName: null,
        deletedWith: null,
        version: sql`${documents.version} + 1`,
      })
      .where(eq(documents.deletedWith, root.id));
    await recordSelection(command, [root], below, () => ({}));
    return changedAnswer(command, [root], below, {
      renamed: renamed.has(root.id) ? await readDocuments(tx, [root.id]) : [],
    });
  });
}

/** @throws AppError `not_found` if bytes are erased already */
async function restoreBytes(command: Command, rootId: string): Promise<void> {
  const fileIds = await filesDeletedWith(command.tx, [rootId]);
  const restored = await restoreFiles(command, fileIds);
  if (restored.length < fileIds.length)
    throw new AppError('not_found', { message: documentMessages.notInBin });
}

/** Where a deleted document was; the top of its discipline if its folder was deleted too. */
async function homeOf(
  tx: Transaction,
  { buildingId, parentFolderId, folderPath, disciplineId }: Document,
): Promise<Container> {
  const top = { buildingId, folderId: null, folderPath: [], disciplineId };
  if (parentFolderId === null) return top;
  const [parent] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, parentFolderId), inUse));
  return parent === undefined ? top : { ...top, folderId: parent.id, folderPath };
}
