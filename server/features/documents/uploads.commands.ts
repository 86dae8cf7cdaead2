import { and, eq, ne, sql } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import type { Queryable, Transaction } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { documents, documentUploads } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import { type DocumentUpload, documentNameSchema } from '#shared/features/documents/documents.ts';
import { CERTIFICATES_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import type { Command } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { assertRoomToSave } from '../../kernel/disk-room.ts';
import { type FileRow, reserveFile } from '../files/files.writes.ts';
import { inUse, whereIn } from './document-filter.ts';
import { documentKey } from './document-key.ts';
import { type Container, findContainer } from './document-places.ts';
import { assertDisciplineInUse, refusal } from './document-tree.ts';

/** The most versions of a document, and the most certificates of a task. */
export const VERSIONS_MAX = LIST_BOUNDS['documents.byId'];
const TASK_CERTIFICATES_MAX = LIST_BOUNDS['documents.ofTask'];

/** A file as its uploader announces it. */
export type AnnouncedFile = { name: string; size: number; type: string };

/**
 * Maximum number of uploads that a person may have announced but not finished. The page announces each upload just before it
 * sends the bytes, four at a time, so only many interruptions within a week lead to this many. Their thumbnails take 40 MB at
 * most.
 */
const UNFINISHED_MAX = 1_000;

/** The purpose of documents' files, stored with each file. */
export const DOCUMENT_PURPOSE = 'document';

/**
 * Reserves a file of documents before its bytes arrive, and stores the data of the document that it will become. Repeated with
 * the same upload, the last call wins: the person may have chosen in the meantime what to do about a name that is taken.
 * @param within the transaction of a command that it is a part of; absent: one of its own
 * @throws AppError `forbidden` without the permission, `not_found` for a place that does not exist or that the person may not
 *   see, `conflict` if the name is taken and the person has not chosen, `invalid` for a bad name or a discipline that is not in
 *   use, `duplicate` for an id that is taken, `busy` for this file only, without room on the disk or with too many unfinished
 *   uploads of this person
 */
export async function reserveDocument(
  ctx: SignedInContext,
  input: DocumentUpload,
  announced: AnnouncedFile,
  within?: Transaction,
): Promise<FileRow> {
  const { services, actor } = ctx;
  assertMayUpload(actor, input);
  const fileName = nameOf(announced.name);
  const thumbnail = input.thumbnail === undefined ? null : await pictureIn(input.thumbnail);
  const now = services.clock.now();
  // Even a small file adds a row and a thumbnail to the database.
  await assertRoomToSave(services, 'documents.announce');
  const reserve = async (tx: Transaction) => {
    await assertFewUnfinished(tx, actor, input.uploadId);
    const completionId = input.proofOf?.completionId ?? null;
    const container =
      completionId === null
        ? await findContainer(tx, actor, input.buildingId, input.place)
        : await containerOfCertificate(
            tx,
            input.buildingId,
            (await assertTakesCertificate(tx, actor, input.buildingId, completionId)).complianceSystem,
          );
    await assertDisciplineInUse(tx, container.disciplineId);
    if (completionId === null && input.onSameName === 'refuse')
      await assertNameFree(tx, container, { id: input.uploadId, fileName });
    const command = { tx, actor, now: now.toISOString() };
    const file = await reserveFile(command, services, {
      id: input.uploadId,
      purpose: DOCUMENT_PURPOSE,
      key: await documentKey(tx, container, fileName, now),
      bytes: announced.size,
      contentType: announced.type,
    });
    if (file.state !== 'reserved') return file;
    if (completionId === null && input.onSameName === 'version')
      await assertTakesVersion(tx, container, fileName);
    // The id is taken, for instance by a folder: the upload's id becomes the document's.
    if ((await tx.$count(documents, eq(documents.id, file.id))) > 0) throw new AppError('duplicate');
    const becomes = {
      buildingId: container.buildingId,
      disciplineId: container.disciplineId,
      folderId: container.folderId,
      fileName,
      description: input.description,
      expiresOn: input.expiresOn,
      onSameName: completionId === null ? input.onSameName : 'keep_both',
      completionId,
      thumbnail,
    } as const;
    await tx
      .insert(documentUploads)
      .values({ fileId: file.id, ...becomes })
      .onConflictDoUpdate({ target: documentUploads.fileId, set: becomes });
    return file;
  };
  return within === undefined ? services.db.transaction(reserve) : reserve(within);
}

/** Uploads that are announced at the same time may all pass this check, so a person may exceed the limit by a few. */
async function assertFewUnfinished(tx: Transaction, { userId }: Actor, uploadId: string): Promise<void> {
  const unfinished = await tx.$count(
    storedFiles,
    and(
      eq(storedFiles.state, 'reserved'),
      eq(storedFiles.purpose, DOCUMENT_PURPOSE),
      eq(storedFiles.uploadedBy, userId),
      ne(storedFiles.id, uploadId),
    ),
  );
  if (unfinished < UNFINISHED_MAX) return;
  throw new AppError('busy', {
    message: documentMessages.tooManyUnfinished(UNFINISHED_MAX),
    data: { thisOnly: true },
  });
}

/** @throws AppError `forbidden` unless the person may add documents, or certificates of completions */
export function assertMayUpload({ permissions }: Actor, { proofOf }: Pick<DocumentUpload, 'proofOf'>): void {
  const isProof = proofOf !== undefined;
  if (permissions.includes(isProof ? 'edit_tasks' : 'manage_building_documents')) return;
  throw new AppError('forbidden', {
    message: isProof ? certificateMessages.forbidden : documentMessages.manageForbidden,
  });
}

function nameOf(text: string): string {
  const parsed = documentNameSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('invalid', { data: { fields: { fileName: issue?.message ?? '' } } });
}

async function assertNameFree(
  tx: Transaction,
  container: Container,
  { id, fileName }: { id: string; fileName: string },
): Promise<void> {
  const taken = await findByName(tx, container, fileName);
  // An upload that was stored but whose answer was lost is announced again: the name is then taken by its own document.
  if (taken === undefined || taken.id === id.toLowerCase()) return;
  throw new AppError('conflict', {
    message: documentMessages.nameTaken(fileName),
    data: { fields: { fileName: taken.fileName }, version: taken.version },
  });
}

type NamedFile = Pick<
  typeof documents.$inferSelect,
  'id' | 'fileName' | 'version' | 'completionId' | 'currentVersion'
>;

/** Whether a document has as many versions as it may have. */
export function isFull({ currentVersion }: Pick<NamedFile, 'currentVersion'>): boolean {
  return (currentVersion ?? 0) >= VERSIONS_MAX;
}

/** Checked when a version is announced. If the document gets its last possible version later, see `storeDocument`. */
async function assertTakesVersion(tx: Transaction, container: Container, fileName: string): Promise<void> {
  const same = await findByName(tx, container, fileName);
  if (same === undefined || !isFull(same)) return;
  throw refusal(documentMessages.tooManyVersions(VERSIONS_MAX));
}

/** The file in a container whose name looks the same. */
export async function findByName(
  db: Queryable,
  container: Container,
  fileName: string,
): Promise<NamedFile | undefined> {
  const [found] = await db
    .select({
      id: documents.id,
      fileName: documents.fileName,
      version: documents.version,
      completionId: documents.completionId,
      currentVersion: documents.currentVersion,
    })
    .from(documents)
    .where(
      and(
        inUse,
        whereIn(container, false),
        eq(documents.isFolder, false),
        sql`${documents.nameKey} collate "C" = ${nameKey(fileName)}`,
      ),
    );
  return found;
}

/**
 * Asserts that a completion can have one more certificate, and locks its task until the transaction ends, so that the
 * completion is not undone in the meantime. Checked when a certificate is announced, and again when it has arrived: an upload may
 * take days.
 * @returns the system of its task
 * @throws AppError `not_found` if there is no such completion in the building, or the person may not see it; `invalid` if
 *   it was undone, or if it or its task has as many certificates as it may have
 */
export async function assertTakesCertificate(
  tx: Transaction,
  actor: Actor,
  buildingId: string,
  completionId: string,
): Promise<{ complianceSystem: string }> {
  const [found] = await tx
    .select({
      complianceSystem: tasks.complianceSystem,
      undone: sql<boolean>`exists (select 1 from ${taskLines} u where u.of = ${taskLines.id} and u.kind = 'undone')`,
      certificates: sql<number>`(select count(*)::int from ${documents} where ${documents.completionId} = ${taskLines.id})`,
      ofTask: sql<number>`(select count(*)::int from ${documents} d join ${taskLines} l on l.id = d.completion_id
        where l.task_id = ${taskLines.taskId})`,
    })
    .from(taskLines)
    .innerJoin(tasks, eq(tasks.id, taskLines.taskId))
    .where(
      and(
        eq(taskLines.id, completionId),
        eq(taskLines.kind, 'completed'),
        eq(taskLines.buildingId, buildingId),
        visibleTo(actor, taskLines.buildingId),
      ),
    )
    .for('share', { of: tasks });
  if (found === undefined) throw new AppError('not_found');
  if (found.undone) throw refusal(documentMessages.completionUndone);
  if (found.certificates >= CERTIFICATES_MAX)
    throw refusal(documentMessages.tooManyCertificates(CERTIFICATES_MAX));
  if (found.ofTask >= TASK_CERTIFICATES_MAX) throw refusal(documentMessages.taskFull(TASK_CERTIFICATES_MAX));
  return found;
}

/** The place of a completion's certificates: the top of the discipline with the name of the task's system, else General. */
async function containerOfCertificate(
  tx: Transaction,
  buildingId: string,
  complianceSystem: string,
): Promise<Container> {
  const [discipline] = await tx
    .select({ id: disciplines.id })
    .from(disciplines)
    .where(
      and(
        eq(disciplines.isActive, true),
        sql`${disciplines.nameKey} collate "C" = ${nameKey(complianceSystem)}`,
      ),
    );
  return {
    buildingId: buildingId.toLowerCase(),
    folderId: null,
    folderPath: [],
    disciplineId: discipline?.id ?? null,
  };
}

const THUMBNAIL_TYPES: readonly string[] = ['image/jpeg', 'image/webp'];

async function pictureIn(base64: string): Promise<Buffer> {
  const bytes = Buffer.from(base64, 'base64');
  const found = await fileTypeFromBuffer(bytes);
  if (found === undefined || !THUMBNAIL_TYPES.includes(found.mime)) {
    throw new AppError('invalid', { data: { fields: { thumbnail: documentMessages.thumbnailInvalid } } });
  }
  return bytes;
}

/** Forgets an upload that was never completed. */
export async function forgetUpload(tx: Transaction, fileId: string): Promise<void> {
  await tx.delete(documentUploads).where(eq(documentUploads.fileId, fileId));
}

/** Reads and deletes the row that describes the document of an upload, in the command that completes the upload. */
export async function takeUpload(
  { tx }: Command,
  fileId: string,
): Promise<typeof documentUploads.$inferSelect> {
  const [upload] = await tx.delete(documentUploads).where(eq(documentUploads.fileId, fileId)).returning();
  if (upload === undefined) throw new AppError('not_found');
  return upload;
}
