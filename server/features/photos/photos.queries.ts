import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import type { ListPhotosInput, Photo } from '#shared/features/photos.ts';
import { PHOTO_PERMISSIONS } from '#shared/features/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { photoKey, photoVisibleTo, selectPhotos } from './photo-row.ts';
import type { PhotoTargetRow } from './photo-targets.ts';

/** Lists the photos of an issue, of an entry or of a completion, in the order in which they were taken. */
export async function listPhotos(db: Queryable, actor: Actor, place: ListPhotosInput): Promise<Photo[]> {
  if (!actor.permissions.includes(PHOTO_PERMISSIONS[place.on])) throw new AppError('forbidden');
  return selectPhotos(db)
    .where(
      and(
        eq(photos.on, place.on),
        eq(photos.onId, place.onId),
        eq(photos.state, 'stored'),
        photoVisibleTo(actor),
      ),
    )
    .orderBy(asc(photos.takenAt), asc(photos.id));
}

/** Reads the data needed to serve a photo, if this person may see it now. */
export async function photoToServe(db: Queryable, actor: Actor, id: string) {
  const [row] = await db
    .select({
      id: photos.id,
      on: photos.on,
      contentType: photos.contentType,
      bytes: photos.bytes,
      sha256: photos.sha256,
      takenAt: photos.takenAt,
    })
    .from(photos)
    .where(and(eq(photos.id, id), eq(photos.state, 'stored'), photoVisibleTo(actor)));
  if (row === undefined || !actor.permissions.includes(PHOTO_PERMISSIONS[row.on])) {
    throw new AppError('not_found');
  }
  return { ...row, key: photoKey(row) };
}

/** Reads a thumbnail; undefined if the phone could not make one. */
export async function readThumbnail(db: Queryable, id: string): Promise<Buffer | undefined> {
  const [row] = await db.select({ thumbnail: photos.thumbnail }).from(photos).where(eq(photos.id, id));
  return row?.thumbnail ?? undefined;
}

/** Returns the announced size of the actor's own photo; undefined if its upload is complete. */
export async function bytesToCome(db: Queryable, actor: Actor, id: string): Promise<number | undefined> {
  const [row] = await db
    .select({ state: photos.state, bytes: photos.bytes })
    .from(photos)
    .where(and(eq(photos.id, id), eq(photos.uploadedBy, actor.userId)));
  if (row === undefined) throw new AppError('not_found');
  return row.state === 'reserved' ? row.bytes : undefined;
}

/**
 * Counts photos that are stored or being uploaded, for the limit per row. A held record may name an entry of another
 * visit, so its photos are counted separately.
 */
export function countPhotos(db: Queryable, place: PhotoTargetRow): Promise<number> {
  return db.$count(
    photos,
    and(
      eq(photos.on, place.on),
      eq(photos.onId, place.onId),
      sql`${photos.buildingId} is not distinct from ${place.buildingId}::uuid`,
      sql`${photos.state} in ('reserved', 'stored')`,
    ),
  );
}
