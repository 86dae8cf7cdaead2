import { and, eq, sql } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { documents, documentVersions } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { ARCHIVE_ENTRIES_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { readInParts } from '../../kernel/concurrency/read-in-parts.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import type { FileRow } from '../files/files.writes.ts';
import { uniqueNames } from './archive-names.ts';
import { inUse } from './document-filter.ts';
import { countSubtrees, isAtOrBelow } from './documents.queries.ts';

/** A folder or file of an archive. Folders end with a slash and have no bytes. */
export type ArchiveEntry = {
  path: string;
  buildingId: string;
  modifiedAt: string;
  file: Pick<FileRow, 'key' | 'bytes' | 'contentType' | 'store'> | null;
};

/**
 * Counts the contents of an archive of these documents and everything below them.
 * @throws AppError `not_found` if one does not exist, was deleted, or this person may not see its building; `invalid` if there
 *   are too many
 */
export async function checkArchive(db: Queryable, actor: Actor, ids: readonly string[]): Promise<void> {
  const { files, folders } = await countSubtrees(db, actor, ids);
  if (files + folders <= ARCHIVE_ENTRIES_MAX) return;
  throw new AppError('invalid', {
    data: { fields: {} },
    message: documentMessages.archiveTooLarge(ARCHIVE_ENTRIES_MAX),
  });
}

/**
 * Lists the contents of an archive, each at a unique path that any system can unpack. Read in parts of one snapshot,
 * because turning thousands of rows into entries in one go would block the event loop.
 */
export function readArchive(db: Database, actor: Actor, ids: readonly string[]): Promise<ArchiveEntry[]> {
  const read = async (tx: Transaction) => {
    await checkArchive(tx, actor, ids);
    const rows = await readInParts(await readOrder(tx, actor, ids), (some) => readRows(tx, some));
    const pathOf = pathGiver();
    return mapYielding(rows, (row) => ({
      path: pathOf(row),
      buildingId: row.buildingId,
      modifiedAt: row.modifiedAt,
      file: row.file,
    }));
  };
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/** The ids of all documents in an archive, folders before their contents. */
async function readOrder(tx: Transaction, actor: Actor, ids: readonly string[]): Promise<string[]> {
  const order = sql`cardinality(${documents.folderPath}), ${documents.sortKey} collate "C", ${documents.id}`;
  const [row] = await tx
    .select({ ids: sql<string[]>`coalesce(array_agg(${documents.id} order by ${order}), '{}')` })
    .from(documents)
    .where(and(inUse, visibleTo(actor, documents.buildingId), isAtOrBelow(ids)));
  return row?.ids ?? [];
}

function readRows(tx: Transaction, ids: readonly string[]) {
  return tx
    .select({
      id: documents.id,
      buildingId: documents.buildingId,
      parentFolderId: documents.parentFolderId,
      isFolder: documents.isFolder,
      fileName: documents.fileName,
      modifiedAt: documents.modifiedAt,
      file: {
        key: storedFiles.key,
        bytes: storedFiles.bytes,
        contentType: storedFiles.contentType,
        store: storedFiles.store,
      },
    })
    .from(documents)
    .leftJoin(
      documentVersions,
      and(
        eq(documentVersions.documentId, documents.id),
        eq(documentVersions.number, documents.currentVersion),
      ),
    )
    .leftJoin(storedFiles, eq(storedFiles.id, documentVersions.fileId))
    .where(isAnyOf(documents.id, ids));
}

/** Returns a function that gives each document its path. Call it for a folder before its contents. */
function pathGiver() {
  const folders = new Map<string, Folder>();
  const top: Folder = { path: '', name: uniqueNames() };
  return (document: Pick<DocumentRow, 'id' | 'parentFolderId' | 'isFolder' | 'fileName'>): string => {
    const { id, parentFolderId, isFolder, fileName } = document;
    const folder = (parentFolderId === null ? undefined : folders.get(parentFolderId)) ?? top;
    const path = `${folder.path}${folder.name(fileName, isFolder)}`;
    if (!isFolder) return path;
    folders.set(id, { path: `${path}/`, name: uniqueNames() });
    return `${path}/`;
  };
}

type DocumentRow = typeof documents.$inferSelect;
type Folder = { path: string; name: ReturnType<typeof uniqueNames> };

/** Whether this person may see the building now. */
export async function seesBuilding(db: Queryable, actor: Actor, buildingId: string): Promise<boolean> {
  if (!actor.permissions.includes('view_logbook')) return false;
  return (await db.$count(buildings, and(eq(buildings.id, buildingId), visibleTo(actor, buildings.id)))) > 0;
}
