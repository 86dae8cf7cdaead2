import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { storedFiles } from '#db/schema/files.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import type { ListPhotosInput, Photo } from '#shared/features/photos/photos.ts';
import { PHOTO_PERMISSIONS } from '#shared/features/photos/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import type { FileRow } from '../files/files.writes.ts';
import { photoVisibleTo, selectPhotos } from './photo-row.ts';
import type { PhotoTargetRow } from './photo-targets.ts';

/** Lists the photos of an issue, of an entry or of a completion, in the order in which they were taken. */
export async function listPhotos(db: Queryable, actor: Actor, place: ListPhotosInput): Promise<Photo[]> {
  if (!actor.permissions.includes(PHOTO_PERMISSIONS[place.on])) throw new AppError('forbidden');
  return selectPhotos(db)
    .where(
      and(
        eq(photos.on, place.on),
        eq(photos.onId, place.onId),
        eq(storedFiles.state, 'stored'),
        photoVisibleTo(actor),
      ),
    )
    .orderBy(asc(photos.takenAt), asc(photos.id));
}

/** Reads the file of a stored photo and when it was taken; undefined if this person may not see it now. */
export async function photoToServe(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<{ file: FileRow; takenAt: string } | undefined> {
  const [row] = await db
    .select({ file: storedFiles, on: photos.on, takenAt: photos.takenAt })
    .from(photos)
    .innerJoin(storedFiles, eq(storedFiles.id, photos.id))
    .where(and(eq(photos.id, id), eq(storedFiles.state, 'stored'), photoVisibleTo(actor)));
  return row !== undefined && actor.permissions.includes(PHOTO_PERMISSIONS[row.on]) ? row : undefined;
}

/** Reads a thumbnail; undefined if the phone could not make one. */
export async function readThumbnail(db: Queryable, id: string): Promise<Buffer | undefined> {
  const [row] = await db.select({ thumbnail: photos.thumbnail }).from(photos).where(eq(photos.id, id));
  return row?.thumbnail ?? undefined;
}

/**
 * Reads the actor's own photo as an upload: its announced size, and whether it is complete.
 * @throws AppError `not_found`
 */
export async function photoUpload(
  db: Queryable,
  actor: Actor,
  id: string,
): Promise<{ version: number; bytes: number; stored: boolean }> {
  const [row] = await db
    .select({ version: photos.version, bytes: storedFiles.bytes, state: storedFiles.state })
    .from(photos)
    .innerJoin(storedFiles, eq(storedFiles.id, photos.id))
    .where(and(eq(photos.id, id), eq(photos.uploadedBy, actor.userId)));
  if (row === undefined) throw new AppError('not_found');
  const { version, bytes, state } = row;
  return { version, bytes, stored: state !== 'reserved' };
}

/**
 * Counts photos that are stored or being uploaded, for the limit per row. A held record may name an entry of another
 * visit, so its photos are counted separately.
 */
export async function countPhotos(db: Queryable, place: PhotoTargetRow): Promise<number> {
  const [counted] = await db
    .select({ photos: sql<number>`count(*)::int` })
    .from(photos)
    .innerJoin(storedFiles, eq(storedFiles.id, photos.id))
    .where(
      and(
        eq(photos.on, place.on),
        eq(photos.onId, place.onId),
        sql`${photos.buildingId} is not distinct from ${place.buildingId}::uuid`,
        inArray(storedFiles.state, ['reserved', 'stored']),
      ),
    );
  return counted?.photos ?? 0;
}
