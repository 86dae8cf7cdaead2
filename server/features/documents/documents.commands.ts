import { and, eq } from 'drizzle-orm';
import { documents, documentVersions } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type { MakeCurrentInput, UpdateDocumentInput } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { inUse } from './document-filter.ts';
import { versionHasThumbnail } from './document-row.ts';
import { lockDocument, refusal } from './document-tree.ts';
import { recordDocuments } from './record-documents.ts';
import { addVersion } from './store-document.ts';

type DocumentAnswer = { id: string; version: number };

/**
 * Changes a document's name, description, colour or expiry, merged field by field (rule S6).
 * @throws AppError `conflict` with the present values if another person changed an edited field since; nothing is
 *   stored. `invalid` if the name is taken in the same container, or a file or a folder does not have the field
 */
export function updateDocument(ctx: SignedInContext, input: UpdateDocumentInput): Promise<DocumentAnswer> {
  return runCommand(ctx, 'documents.update', input, async (command) => {
    const { tx, actor, now } = command;
    const before = await lockDocument(command, input.id, inUse);
    if (before.proof !== null) throw refusal(documentMessages.certificateKept);
    const { fileName, description, folderColor, expiresOn } = before;
    const set = mergeEdit({ fileName, description, folderColor, expiresOn }, before.version, input.changes);
    if (set.folderColor !== undefined && !before.isFolder) throw refusal(documentMessages.colorOfFile);
    if (set.expiresOn !== undefined && before.isFolder) throw refusal(documentMessages.expiryOfFolder);
    if (Object.keys(set).length === 0) return { id: before.id, version: before.version };
    try {
      await tx
        .update(documents)
        .set({ ...set, modifiedAt: now, modifiedByName: recordedName(actor), version: before.version + 1 })
        .where(eq(documents.id, before.id));
    } catch (error) {
      if (!isDuplicate(error, 'building_documents_name_once')) throw error;
      throw taken(before.isFolder, set.fileName ?? fileName);
    }
    await recordDocuments(command, [before]);
    return { id: before.id, version: before.version + 1 };
  });
}

function taken(isFolder: boolean, name: string): AppError {
  const sentence = isFolder ? documentMessages.folderTaken(name) : documentMessages.nameTaken(name);
  return new AppError('invalid', { data: { fields: { 'changes.fileName.to': sentence } } });
}

/**
 * Makes an older version of a document the current one: a further version with the same file, so that the history stays.
 * @throws AppError `not_found` if the document has no such version
 */
export function makeVersionCurrent(ctx: SignedInContext, input: MakeCurrentInput): Promise<DocumentAnswer> {
  return runCommand(ctx, 'documents.makeCurrent', input, async (command) => {
    const before = await lockDocument(command, input.id, inUse);
    if (before.proof !== null) throw refusal(documentMessages.certificateKept);
    const [chosen] = await command.tx
      .select({
        number: documentVersions.number,
        file: {
          fileId: documentVersions.fileId,
          fileSize: documentVersions.fileSize,
          fileType: documentVersions.fileType,
          sha256: documentVersions.sha256,
        },
        hasThumbnail: versionHasThumbnail,
      })
      .from(documentVersions)
      .where(and(eq(documentVersions.id, input.versionId), eq(documentVersions.documentId, before.id)));
    if (chosen === undefined) throw new AppError('not_found');
    if (chosen.number === before.currentVersion) return { id: before.id, version: before.version };
    await addVersion(command, before.id, chosen.file, { hasThumbnail: chosen.hasThumbnail });
    await recordDocuments(command, [before]);
    return { id: before.id, version: before.version + 1 };
  });
}
