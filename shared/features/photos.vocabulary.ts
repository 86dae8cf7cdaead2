import type { Permission } from '../permissions.ts';

// Apart from the schemas, so that the camera's code does not load the validation library.

/** What a photo is of: a building issue, or one entry of a safety check. */
export const PHOTO_SUBJECTS = ['issue', 'check'] as const;
export type PhotoSubject = (typeof PHOTO_SUBJECTS)[number];
/** What a photo hangs on: `id` is the or the check entry's. */
export type PhotoTarget = { on: PhotoSubject; onId: string };

/** Who sees a photo is who sees what it is of. Everybody who sees issues sees the log book, never the other way. */
export function photoPermission(on: PhotoSubject): Permission {
  return on === 'issue' ? 'view_building_issues' : 'view_logbook';
}

/** What every browser shows, and what a phone's photo is made into. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

/** A photo made smaller has about half a megabyte; one that could not be is sent as it is, up to this. */
export const PHOTO_MAX_BYTES = 15 * 1024 * 1024;
/** The longer side of what is sent, and of what lists show, in pixels. */
export const PHOTO_SIDE = 1_600;
export const THUMBNAIL_SIDE = 320;
export const THUMBNAIL_MAX_BYTES = 64 * 1024;
/** So many on one issue or one entry of a check. */
export const PHOTOS_MAX = 20;

/** Where in the file the body of an upload begins; the answer says how much is there. */
export const UPLOAD_OFFSET = 'upload-offset';

export function photoUrl(id: string): string {
  return `/files/photos/${id}`;
}

export function thumbnailUrl(id: string): string {
  return `/files/photos/${id}/thumbnail`;
}
