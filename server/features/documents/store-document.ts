import { and, desc, eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { documents, documentVersions } from '#db/schema/documents.ts';
import { taskLines } from '#db/schema/tasks.ts';
import type { StoredDocument } from '#shared/features/documents/documents.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Changes } from '#shared/live/live.ts';
import type { Command } from '../../kernel/commands.ts';
import { recordedName } from '../../kernel/person-names.ts';
import type { FileRow } from '../files/files.writes.ts';
import { inUse } from './document-filter.ts';
import { freeNames } from './document-names.ts';
import type { Container } from './document-places.ts';
import { readDocuments } from './document-row.ts';
import { lockTree, refusal } from './document-tree.ts';
import {
  assertMayUpload,
  assertTakesCertificate,
  findByName,
  isFull,
  takeUpload,
  VERSIONS_MAX,
} from './uploads.commands.ts';

type Upload = Awaited<ReturnType<typeof takeUpload>>;

/**
 * Makes a document of an upload whose bytes have arrived, or the next version of a document. If its folder was deleted
 * in the meantime, it goes to the top of the discipline; if its name was taken in the meantime, it gets a number.
 * @throws AppError `not_found` or `forbidden` if the uploader has lost the building or the permission in the meantime, `invalid`
 *   for a certificate of a completion that was undone, or that has as many certificates as it may have
 */
export async function storeDocument(command: Command, file: FileRow): Promise<StoredDocument> {
  const upload = await takeUpload(command, file.id);
  const { completionId } = upload;
  assertMayUpload(command.actor, completionId === null ? {} : { proofOf: { completionId } });
  await lockTree(command, upload.buildingId);
  if (completionId !== null)
    await assertTakesCertificate(command.tx, command.actor, upload.buildingId, completionId);
  const container = await containerNow(command.tx, upload);
  const same =
    upload.onSameName === 'version' ? await findByName(command.tx, container, upload.fileName) : undefined;
  // A certificate belongs to the record of its task, and gets no further version. If the document got its last possible
  // version while the bytes arrived, the upload becomes a document of its own, so that no upload is lost.
  return same === undefined || same.completionId !== null || isFull(same)
    ? insertDocument(command, file, upload, container)
    : insertVersion(command, file, upload, same.id);
}

async function containerNow(
  tx: Transaction,
  { buildingId, disciplineId, folderId }: Upload,
): Promise<Container> {
  const top = { buildingId, folderId: null, folderPath: [], disciplineId };
  if (folderId === null) return top;
  const [folder] = await tx
    .select({ folderPath: documents.folderPath, disciplineId: documents.disciplineId })
    .from(documents)
    .where(and(eq(documents.id, folderId), inUse));
  if (folder === undefined) return top;
  return {
    buildingId,
    folderId,
    folderPath: [...folder.folderPath, folderId],
    disciplineId: folder.disciplineId,
  };
}

async function insertDocument(
  command: Command,
  file: FileRow,
  upload: Upload,
  container: Container,
): Promise<StoredDocument> {
  const { tx, actor, now } = command;
  const { fileName: wanted, completionId, thumbnail } = upload;
  const named = { fileName: wanted, isFolder: false };
  const fileName = (await freeNames(tx, container, [named])).get(named) ?? wanted;
  const content = contentOf(file);
  await tx.insert(documents).values({
    id: file.id,
    buildingId: container.buildingId,
    isFolder: false,
    fileName,
    description: upload.description,
    disciplineId: container.disciplineId,
    parentFolderId: container.folderId,
    folderPath: container.folderPath,
    ...content,
    currentVersion: 1,
    hasThumbnail: thumbnail !== null,
    expiresOn: completionId === null ? upload.expiresOn : await statedBy(tx, completionId),
    completionId,
    uploadedBy: actor.userId,
    uploadedByName: recordedName(actor),
    uploadedAt: now,
    modifiedAt: now,
  });
  await tx
    .insert(documentVersions)
    .values({ ...versionOf(command, file.id, 1), fileId: file.id, ...content, thumbnail });
  return tell(command, file.id, null, upload.folderId !== container.folderId);
}

async function insertVersion(
  command: Command,
  file: FileRow,
  { thumbnail }: Upload,
  documentId: string,
): Promise<StoredDocument> {
  const { before, after } = await addVersion(
    command,
    documentId,
    {
      ...{ fileId: file.id, ...contentOf(file), thumbnail },
    },
    { hasThumbnail: thumbnail !== null },
  );
  return tell(command, documentId, { currentVersion: [before, after] }, false);
}

type NewVersion = Omit<
  typeof documentVersions.$inferInsert,
  'id' | 'documentId' | 'number' | 'uploadedBy' | 'uploadedByName' | 'uploadedAt'
>;

/**
 * Adds a version to a document and makes it the current one. The caller has locked the tree or the document.
 * @param version with its thumbnail, unless an earlier version of the same file has it
 * @throws AppError `invalid` if the document has as many versions as it may have
 */
export async function addVersion(
  command: Command,
  documentId: string,
  version: NewVersion,
  { hasThumbnail }: { hasThumbnail: boolean },
): Promise<{ before: number; after: number }> {
  const { tx, actor, now } = command;
  const [row] = await tx
    .select({ version: documents.version })
    .from(documents)
    .where(eq(documents.id, documentId))
    .for('update');
  const [last] = await tx
    .select({ number: documentVersions.number })
    .from(documentVersions)
    .where(eq(documentVersions.documentId, documentId))
    .orderBy(desc(documentVersions.number))
    .limit(1);
  if (row === undefined || last === undefined) throw new Error(`document ${documentId} has no version`);
  if (last.number >= VERSIONS_MAX) throw refusal(documentMessages.tooManyVersions(VERSIONS_MAX));
  const after = last.number + 1;
  await tx.insert(documentVersions).values({ ...versionOf(command, documentId, after), ...version });
  const { fileSize, fileType, sha256 } = version;
  await tx
    .update(documents)
    .set({
      fileSize,
      fileType,
      sha256,
      hasThumbnail,
      currentVersion: after,
      modifiedAt: now,
      modifiedByName: recordedName(actor),
      version: row.version + 1,
    })
    .where(eq(documents.id, documentId));
  return { before: last.number, after };
}

function contentOf({ bytes, contentType, sha256, id }: FileRow) {
  if (sha256 === null) throw new Error(`file ${id} is stored without its hash`);
  return { fileSize: bytes, fileType: contentType, sha256 };
}

function versionOf({ actor, now }: Command, documentId: string, number: number) {
  const by = { uploadedBy: actor.userId, uploadedByName: recordedName(actor), uploadedAt: now };
  return { id: uuidv7(), documentId, number, ...by };
}

/** The date on the certificate, if its completion states one. Lines of a task's record never change. */
async function statedBy(tx: Transaction, completionId: string): Promise<string | null> {
  const [line] = await tx
    .select({ stated: taskLines.stated })
    .from(taskLines)
    .where(eq(taskLines.id, completionId));
  return line?.stated ?? null;
}

async function tell(
  { tx, record }: Command,
  id: string,
  changes: Changes | null,
  elsewhere: boolean,
): Promise<StoredDocument> {
  const [row] = await readDocuments(tx, [id]);
  if (row === undefined) throw new Error(`document ${id} is gone in the transaction that stored it`);
  await record({ entity: 'document', op: 'put', row, changes });
  const { version, fileName, currentVersion } = row;
  return { id, documentId: id, version, number: currentVersion ?? 1, fileName, elsewhere };
}
