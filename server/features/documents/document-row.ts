import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents, documentVersions } from '#db/schema/documents.ts';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import type { Contents, Document } from '#shared/features/documents/documents.ts';
import { changesIn } from '../../kernel/merge-fields.ts';

const columns = {
  id: documents.id,
  buildingId: documents.buildingId,
  parentFolderId: documents.parentFolderId,
  folderPath: documents.folderPath,
  isFolder: documents.isFolder,
  fileName: documents.fileName,
  description: documents.description,
  disciplineId: documents.disciplineId,
  folderColor: documents.folderColor,
  fileType: documents.fileType,
  fileSize: documents.fileSize,
  sha256: documents.sha256,
  currentVersion: documents.currentVersion,
  hasThumbnail: documents.hasThumbnail,
  expiresOn: documents.expiresOn,
  proof: { taskId: tasks.id, taskNumber: tasks.taskNumber, completionId: taskLines.id },
  uploadedBy: documents.uploadedBy,
  uploadedByName: documents.uploadedByName,
  uploadedAt: documents.uploadedAt,
  modifiedByName: documents.modifiedByName,
  modifiedAt: documents.modifiedAt,
  deletedAt: documents.deletedAt,
  deletedByName: documents.deletedByName,
  deletedWith: documents.deletedWith,
  version: documents.version,
};

/**
 * SQL condition that a version has a thumbnail, which is stored with the first version of its file. The table is named in
 * full, because the query builder leaves out the table of a column if the query has only one.
 */
export const versionHasThumbnail = sql<boolean>`exists (select 1 from document_versions twin
  where twin.file_id = document_versions.file_id and twin.thumbnail is not null)`;

/** The base query for documents: add conditions, order and limit. */
export function selectDocuments(db: Queryable) {
  return db
    .select(columns)
    .from(documents)
    .leftJoin(taskLines, eq(taskLines.id, documents.completionId))
    .leftJoin(tasks, eq(tasks.id, taskLines.taskId))
    .$dynamic();
}

type Found = Omit<Document, 'proof'> & {
  proof: { taskId: string | null; taskNumber: string | null; completionId: string | null };
};

/** The document of a row of `selectDocuments`. */
export function toDocument({ proof, ...row }: Found): Document {
  const { taskId, taskNumber, completionId } = proof;
  const isProof = taskId !== null && taskNumber !== null && completionId !== null;
  return { ...row, proof: isProof ? { taskId, taskNumber, completionId } : null };
}

/** Reads documents by their ids, in any order. */
export async function readDocuments(db: Queryable, ids: readonly string[]): Promise<Document[]> {
  return (await selectDocuments(db).where(isAnyOf(documents.id, ids))).map(toDocument);
}

/** Reads documents by their ids, in the order of the ids. */
export async function readInOrder(db: Queryable, ids: readonly string[]): Promise<Document[]> {
  if (ids.length === 0) return [];
  const rows = await selectDocuments(db).where(inArray(documents.id, [...ids]));
  const byId = new Map(rows.map((row) => [row.id, toDocument(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** SQL that counts documents. */
export const contentsColumns: { [Name in keyof Contents]: SQL<number> } = {
  files: sql<number>`(count(*) filter (where not ${documents.isFolder}))::int`,
  folders: sql<number>`(count(*) filter (where ${documents.isFolder}))::int`,
  bytes: sql`coalesce(sum(${documents.fileSize}), 0)::bigint`.mapWith(Number),
};

export type Counted = { files: number; folders: number };

/** Counts files and folders. */
export async function countWhere(tx: Transaction, where: SQL | undefined): Promise<Counted> {
  const [row] = await tx
    .select({
      files: sql<number>`(count(*) filter (where not ${documents.isFolder}))::int`,
      folders: sql<number>`(count(*) filter (where ${documents.isFolder}))::int`,
    })
    .from(documents)
    .where(where);
  return row ?? { files: 0, folders: 0 };
}

/** The ids of the files of all documents that were deleted with these documents, in all versions. */
export async function filesDeletedWith(tx: Transaction, rootIds: readonly string[]): Promise<string[]> {
  const found = await tx
    .selectDistinct({ fileId: documentVersions.fileId })
    .from(documentVersions)
    .innerJoin(documents, eq(documents.id, documentVersions.documentId))
    .where(isAnyOf(documents.deletedWith, rootIds));
  return found.map(({ fileId }) => fileId);
}

/**
 * Returns the changes between two states, for the fields that a history shows. The place is shown in words, because ids mean
 * nothing to people.
 */
export const changesBetween = changesIn<Document>([
  'fileName',
  'description',
  'folderColor',
  'expiresOn',
  'currentVersion',
  'deletedAt',
]);
