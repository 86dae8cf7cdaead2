import { and, eq, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkEntries } from '#db/schema/checks/visits.ts';
import { storedFiles } from '#db/schema/files.ts';
import { profiles } from '#db/schema/people.ts';
import { photos } from '#db/schema/photos.ts';
import { dayOf } from '#shared/dates.ts';
import type { PhotoType } from '#shared/features/photos/photos.vocabulary.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { nameNow } from '../../kernel/person-names.ts';

/** The purpose of photos' files; stored with each. A photo and its file have the same id. */
export const PHOTO_PURPOSE = 'photo';

/** The base query for photos: add conditions and order. The state of a photo is its file's. */
export function selectPhotos(db: Queryable) {
  return db
    .select({
      id: photos.id,
      on: photos.on,
      onId: photos.onId,
      buildingId: photos.buildingId,
      // Bytes of any other type, or without their announced hash, are never stored as a photo.
      contentType: sql<PhotoType>`${storedFiles.contentType}`,
      bytes: storedFiles.bytes,
      sha256: sql<string>`${storedFiles.sha256}`,
      width: photos.width,
      height: photos.height,
      hasThumbnail: sql<boolean>`${photos.thumbnail} is not null`,
      takenAt: photos.takenAt,
      // Null only while the photo is being uploaded, when only its uploader sees it.
      receivedAt: sql<string>`${storedFiles.receivedAt}`.mapWith(storedFiles.receivedAt),
      uploadedBy: photos.uploadedBy,
      uploadedByName: photos.uploadedByName,
      uploadedByNow: nameNow(profiles, photos.uploadedByName),
      importedByName: photos.importedByName,
      version: photos.version,
    })
    .from(photos)
    .innerJoin(storedFiles, eq(storedFiles.id, photos.id))
    .innerJoin(profiles, eq(profiles.id, photos.uploadedBy))
    .$dynamic();
}

/**
 * SQL condition "this person may see that photo". A photo of a held record has no building yet; it is visible to administrators,
 * who decide about the record, unless the log has an entry with the same id. A held record can name any id, also that of another
 * record's entry.
 */
export function photoVisibleTo(actor: Pick<Actor, 'viewerId' | 'sight' | 'permissions'>): SQL | undefined {
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

/** The storage key of a new photo. */
export function photoKey(photo: { id: string; contentType: PhotoType }): string {
  // The id begins with a timestamp, so files of one period are stored together.
  return `photos/${photo.id.slice(0, 6)}/${photo.id}.${ENDINGS[photo.contentType]}`;
}

/** The name under which a photo is saved. */
export function photoName(photo: { takenAt: string; file: { contentType: string } }): string {
  return `photo-${dayOf(photo.takenAt)}.${photo.file.contentType.slice('image/'.length)}`;
}
