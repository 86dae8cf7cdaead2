import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { disciplines } from '#db/schema/accounts.ts';
import { documents } from '#db/schema/documents.ts';
import { AppError } from '#shared/errors.ts';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { GENERAL } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { assertVisible } from '../locations/locations.queries.ts';
import { readDocuments } from './document-row.ts';

/** The direct container of documents, and the discipline and path that they take from it. */
export type Container = {
  buildingId: string;
  /** The folder; null at the top of a discipline. */
  folderId: string | null;
  /** The folders on the way to it, itself included. */
  folderPath: string[];
  /** Null: General. */
  disciplineId: string | null;
};

/** The id by which the database groups the documents directly in a container. */
export function containerIdOf({ folderId, disciplineId, buildingId }: Container): string {
  return folderId ?? disciplineId ?? buildingId;
}

/**
 * Finds a place for documents. The building itself as the place means General.
 * @throws AppError `not_found` if the building, the discipline or the folder does not exist, was deleted, or is in another
 *   building or one that the person may not see
 */
export async function findContainer(
  db: Queryable,
  actor: Actor,
  buildingId: string,
  place: DocumentPlace,
): Promise<Container> {
  const top = { buildingId: buildingId.toLowerCase(), folderId: null, folderPath: [] };
  switch (place.at) {
    case 'building':
      await assertVisible(db, actor, buildingId);
      return { ...top, disciplineId: null };
    case 'discipline': {
      await assertVisible(db, actor, buildingId);
      if (place.disciplineId === null) return { ...top, disciplineId: null };
      const [discipline] = await db
        .select({ id: disciplines.id })
        .from(disciplines)
        .where(eq(disciplines.id, place.disciplineId));
      if (discipline === undefined)
        throw new AppError('not_found', { message: documentMessages.disciplineGone });
      return { ...top, disciplineId: discipline.id };
    }
    case 'folder': {
      const [folder] = await db
        .select({ id: documents.id, folderPath: documents.folderPath, disciplineId: documents.disciplineId })
        .from(documents)
        .where(
          and(
            eq(documents.id, place.folderId),
            eq(documents.buildingId, buildingId),
            documents.isFolder,
            isNull(documents.deletedAt),
            visibleTo(actor, documents.buildingId),
          ),
        );
      if (folder === undefined) throw new AppError('not_found', { message: documentMessages.folderGone });
      const { id: folderId, folderPath, disciplineId } = folder;
      return { ...top, folderId, folderPath: [...folderPath, folderId], disciplineId };
    }
  }
}

/**
 * A place as people read it: "Fire Safety > Plans".
 * @param names the names of the folders on the way
 */
function placeInWords(disciplineName: string | null, names: readonly string[]): string {
  return [disciplineName ?? GENERAL, ...names].join(' > ');
}

/** Where each of these documents is, in words. */
export async function placesOf(tx: Transaction, rows: readonly Document[]): Promise<Map<string, string>> {
  const folderIds = [...new Set(rows.flatMap(({ folderPath }) => folderPath))];
  const folders = await readDocuments(tx, folderIds);
  const disciplineIds = [...new Set(rows.flatMap(({ disciplineId }) => disciplineId ?? []))];
  const named =
    disciplineIds.length === 0
      ? []
      : await tx
          .select({ id: disciplines.id, name: disciplines.name })
          .from(disciplines)
          .where(inArray(disciplines.id, disciplineIds));
  const folderNames = new Map(folders.map(({ id, fileName }) => [id, fileName]));
  const disciplineNames = new Map(named.map(({ id, name }) => [id, name]));
  return new Map(
    rows.map(({ id, folderPath, disciplineId }) => [
      id,
      placeInWords(
        disciplineId === null ? null : (disciplineNames.get(disciplineId) ?? null),
        folderPath.map((folderId) => folderNames.get(folderId) ?? ''),
      ),
    ]),
  );
}
