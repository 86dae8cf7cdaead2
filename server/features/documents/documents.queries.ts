import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { documents, documentTallies, documentVersions, documentViews } from '#db/schema/documents.ts';
import { tasks } from '#db/schema/tasks.ts';
import { AppError } from '#shared/errors.ts';
import type {
  Contents,
  Document,
  DocumentBinInput,
  DocumentBinPage,
  DocumentDetails,
  DocumentRoot,
  FolderTrail,
  SameNamesInput,
} from '#shared/features/documents/documents.ts';
import { nameKey } from '#shared/text/name-keys.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { cutPage, isOlder } from '../../kernel/lists/page.ts';
import { readToday } from '../../kernel/settings.ts';
import { assertVisible } from '../locations/locations.queries.ts';
import { inUse, isRestorable, whereExpiry } from './document-filter.ts';
import { takenNames } from './document-names.ts';
import { findContainer } from './document-places.ts';
import {
  contentsColumns,
  readInOrder,
  selectDocuments,
  toDocument,
  versionHasThumbnail,
} from './document-row.ts';

const NOTHING: Contents = { files: 0, folders: 0, bytes: 0 };

/** SQL condition for one document in use, if this person may see it. */
export function visibleDocument(actor: Actor, id: string): SQL | undefined {
  return and(eq(documents.id, id), inUse, visibleTo(actor, documents.buildingId));
}

/** Counts documents per discipline: for disciplines in use, and for other disciplines and General if they contain documents. */
export async function readRoot(
  db: Queryable,
  actor: Actor,
  buildingId: string,
  now: Date,
): Promise<DocumentRoot> {
  await assertVisible(db, actor, buildingId);
  const { today } = await readToday(db, now);
  const { disciplineId, files, folders, bytes } = documentTallies;
  const held = await db
    .select({ disciplineId, files, folders, bytes })
    .from(documentTallies)
    .where(and(eq(documentTallies.buildingId, buildingId), sql`${files} + ${folders} > 0`));
  const dated = await db
    .select({
      disciplineId: documents.disciplineId,
      expired: sql<number>`(count(*) filter (where ${whereExpiry('expired', today)}))::int`,
      expiresSoon: sql<number>`(count(*) filter (where ${whereExpiry('expires_soon', today)}))::int`,
    })
    .from(documents)
    .where(and(eq(documents.buildingId, buildingId), inUse, isNotNull(documents.expiresOn)))
    .groupBy(documents.disciplineId);
  const known = await db
    .select({ disciplineId: disciplines.id, name: disciplines.name, isActive: disciplines.isActive })
    .from(disciplines)
    .orderBy(sql`${disciplines.sortKey} collate "C"`, disciplines.id);
  const contents = new Map(held.map((row) => [row.disciplineId, row]));
  const expiries = new Map(dated.map((row) => [row.disciplineId, row]));
  const none = { ...NOTHING, expired: 0, expiresSoon: 0 };
  const all = [...known, { disciplineId: null, name: null, isActive: true }];
  return {
    disciplines: all
      .filter(
        ({ disciplineId, isActive }) => contents.has(disciplineId) || (isActive && disciplineId !== null),
      )
      .map((discipline) => ({
        ...none,
        ...contents.get(discipline.disciplineId),
        ...expiries.get(discipline.disciplineId),
        ...discipline,
      })),
    today,
  };
}

/** @throws AppError `not_found` if the folder does not exist, was deleted, or this person may not see its building */
export async function readTrail(db: Queryable, actor: Actor, folderId: string): Promise<FolderTrail> {
  const [folder] = await selectDocuments(db).where(and(visibleDocument(actor, folderId), documents.isFolder));
  if (folder === undefined) throw new AppError('not_found');
  const { buildingId, disciplineId, folderPath } = folder;
  const above = await readInOrder(db, folderPath);
  const folders = [...above, toDocument(folder)].map(({ id, fileName, folderColor }) => ({
    id,
    fileName,
    folderColor,
  }));
  return { buildingId, disciplineId, folders };
}

/**
 * A document with its versions, the newest first.
 * @throws AppError `not_found` if the document does not exist, was deleted, or this person may not see its building
 */
export async function readDetails(db: Queryable, actor: Actor, id: string): Promise<DocumentDetails> {
  const [found] = await selectDocuments(db).where(visibleDocument(actor, id));
  if (found === undefined) throw new AppError('not_found');
  const versions = await db
    .select({
      id: documentVersions.id,
      number: documentVersions.number,
      fileSize: documentVersions.fileSize,
      fileType: documentVersions.fileType,
      sha256: documentVersions.sha256,
      hasThumbnail: versionHasThumbnail,
      uploadedByName: documentVersions.uploadedByName,
      uploadedAt: documentVersions.uploadedAt,
    })
    .from(documentVersions)
    .where(eq(documentVersions.documentId, id))
    .orderBy(desc(documentVersions.number));
  const [lastViewed] = await db
    .select({ at: documentViews.at, byName: documentViews.byName })
    .from(documentViews)
    .where(eq(documentViews.documentId, id));
  return { document: toDocument(found), versions, lastViewed: lastViewed ?? null };
}

/** Lists the certificates of a task's completions, the last first. */
export async function listCertificates(db: Queryable, actor: Actor, taskId: string): Promise<Document[]> {
  const found = await selectDocuments(db)
    .where(and(eq(tasks.id, taskId), inUse, visibleTo(actor, documents.buildingId)))
    .orderBy(desc(documents.uploadedAt), desc(documents.id));
  return found.map(toDocument);
}

/** The version that contains the thumbnail of its file. */
const pictured = alias(documentVersions, 'pictured');

/** The thumbnail of a document's current version, with the hash of that version; undefined if it has none. */
export async function readThumbnail(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<{ picture: Buffer; sha256: string } | undefined> {
  const [found] = await db
    .select({ picture: pictured.thumbnail, sha256: documentVersions.sha256 })
    .from(documents)
    .innerJoin(
      documentVersions,
      and(
        eq(documentVersions.documentId, documents.id),
        eq(documentVersions.number, documents.currentVersion),
      ),
    )
    .innerJoin(pictured, and(eq(pictured.fileId, documentVersions.fileId), isNotNull(pictured.thumbnail)))
    .where(visibleDocument(actor, id))
    .limit(1);
  return found?.picture == null ? undefined : { picture: found.picture, sha256: found.sha256 };
}

/**
 * Lists the documents of a building that can be restored, newest deletion first, with the files, folders and bytes that each of
 * them restores.
 */
export async function listBin(
  db: Queryable,
  actor: Actor,
  input: DocumentBinInput,
  now: Date,
): Promise<DocumentBinPage> {
  const { buildingId, limit, cursor } = input;
  await assertVisible(db, actor, buildingId);
  const after =
    cursor && isOlder([documents.deletedAt, documents.id], { at: cursor.deletedAt, id: cursor.id });
  const found = await selectDocuments(db)
    .where(and(eq(documents.buildingId, buildingId), isRestorable(now.toISOString()), after ?? undefined))
    .orderBy(desc(documents.deletedAt), desc(documents.id))
    .limit(limit + 1);
  const { rows: page, nextCursor } = cutPage(found.map(toDocument), limit, ({ deletedAt, id }) =>
    deletedAt === null ? null : { deletedAt, id },
  );
  const counted = await db
    .select({ id: documents.deletedWith, ...contentsColumns })
    .from(documents)
    .where(
      isAnyOf(
        documents.deletedWith,
        page.map(({ id }) => id),
      ),
    )
    .groupBy(documents.deletedWith);
  const contents = new Map(counted.map(({ id, ...counts }) => [id, counts]));
  return {
    rows: page.map((document) => ({ ...document, ...(contents.get(document.id) ?? NOTHING) })),
    nextCursor,
  };
}

/**
 * Counts these documents and all below them, each once.
 * @throws AppError `not_found` if one does not exist, was deleted, or this person may not see its building
 */
export async function countSubtrees(db: Queryable, actor: Actor, ids: readonly string[]): Promise<Contents> {
  const visible = and(inUse, visibleTo(actor, documents.buildingId));
  const found = await db.$count(documents, and(isAnyOf(documents.id, ids), visible));
  if (found < ids.length) throw new AppError('not_found');
  const [counts] = await db
    .select(contentsColumns)
    .from(documents)
    .where(and(visible, isAtOrBelow(ids)));
  return counts ?? NOTHING;
}

/** SQL condition for these documents and all below them. */
export function isAtOrBelow(ids: readonly string[]): SQL {
  return sql`(${isAnyOf(documents.id, ids)} or ${documents.folderPath} && string_to_array(${ids.join()}, ',')::uuid[])`;
}

/** Returns those of these names that look the same as the name of a file directly in the place. */
export async function findSameNames(
  db: Queryable,
  actor: Actor,
  input: SameNamesInput,
): Promise<{ names: string[] }> {
  const container = await findContainer(db, actor, input.buildingId, input.place);
  const taken = await takenNames(db, container, false, input.names);
  return { names: input.names.filter((name) => taken.has(nameKey(name))) };
}
