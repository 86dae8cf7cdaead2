import { and, asc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import type { ListPhotosInput, Photo } from '#shared/features/photos.ts';
import { photoPermission } from '#shared/features/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { photoKey, photoVisibleTo, selectPhotos } from './photo-row.ts';
import type { PhotoTargetRow } from './photo-targets.ts';

/** The photos of an issue or of a check's entry, in the order in which they were taken. */
export async function listPhotos(db: Queryable, actor: Actor, place: ListPhotosInput): Promise<Photo[]> {
  if (!actor.permissions.includes(photoPermission(place.on))) throw new AppError('forbidden');
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

/** What is needed to hand out a photo's bytes, if this person may see them now. */
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
  if (row === undefined || !actor.permissions.includes(photoPermission(row.on))) {
    throw new AppError('not_found');
  }
  return { ...row, key: photoKey(row) };
}

/** The small picture; undefined where the phone could not make one. */
export async function readThumbnail(db: Queryable, id: string): Promise<Buffer | undefined> {
  const [row] = await db.select({ thumbnail: photos.thumbnail }).from(photos).where(eq(photos.id, id));
  return row?.thumbnail ?? undefined;
}

/** How long the file of one's own announced photo is; undefined where all of it is here already. */
export async function bytesToCome(db: Queryable, actor: Actor, id: string): Promise<number | undefined> {
  const [row] = await db
    .select({ state: photos.state, bytes: photos.bytes })
    .from(photos)
    .where(and(eq(photos.id, id), eq(photos.uploadedBy, actor.userId)));
  if (row === undefined) throw new AppError('not_found');
  return row.state === 'reserved' ? row.bytes : undefined;
}

/**
 * How many there are or are on their way, for the bound. A held record may name an entry that is another's: its photos
 * count apart.
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
