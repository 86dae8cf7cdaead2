import { and, eq, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkEntries } from '#db/schema/checks/visits.ts';
import { profiles } from '#db/schema/people.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import type { PhotoType } from '#shared/features/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { nameNow } from '../../kernel/person-names.ts';

/** The base query for photos: add conditions and order. */
export function selectPhotos(db: Queryable) {
  return db
    .select({
      id: photos.id,
      on: photos.on,
      onId: photos.onId,
      buildingId: photos.buildingId,
      contentType: photos.contentType,
      bytes: photos.bytes,
      sha256: photos.sha256,
      width: photos.width,
      height: photos.height,
      hasThumbnail: sql<boolean>`${photos.thumbnail} is not null`,
      takenAt: photos.takenAt,
      // Null only while it is being uploaded, when only its uploader sees it.
      receivedAt: sql<string>`${photos.receivedAt}`.mapWith(photos.receivedAt),
      uploadedBy: photos.uploadedBy,
      uploadedByName: photos.uploadedByName,
      uploadedByNow: nameNow(profiles, photos.uploadedByName),
      importedByName: photos.importedByName,
      version: photos.version,
    })
    .from(photos)
    .innerJoin(profiles, eq(profiles.id, photos.uploadedBy))
    .$dynamic();
}

/**
 * SQL condition "this person may see that photo". A photo of a held record has no building yet; it is visible to those
 * who decide about the record, unless its entry id is one of the log's, which a held record can name but not own.
 */
export function photoVisibleTo(actor: Pick<Actor, 'userId' | 'role' | 'permissions'>): SQL | undefined {
  const inBuilding = visibleTo(actor, photos.buildingId);
  if (!actor.permissions.includes('manage_users')) return inBuilding;
  const taken = sql`exists (select 1 from ${checkEntries} e where e.id = ${photos.onId})`;
  return or(and(isNotNull(photos.buildingId), inBuilding), and(isNull(photos.buildingId), not(taken)));
}

const ENDINGS: Readonly<Record<PhotoType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** The storage key of a photo. Derived from fields that never change, so that a row always finds its file. */
export function photoKey(photo: { id: string; contentType: PhotoType }): string {
  // The id begins with a timestamp, so files of one period are stored together.
  return `photos/${photo.id.slice(0, 6)}/${photo.id}.${ENDINGS[photo.contentType]}`;
}

/** Locks a photo of any state until the end of the command. */
export async function lockPhoto(db: Queryable, id: string) {
  const [row] = await db.select().from(photos).where(eq(photos.id, id)).for('update');
  if (row === undefined) throw new AppError('not_found');
  return row;
}
