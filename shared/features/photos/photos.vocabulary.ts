import type { Permission } from '../../permissions.ts';

// Separate from the schemas, so that the camera's code does not load the validation library.

/** The kinds of subjects of a photo: an issue, an entry of a check, or a completion of a task. */
export const PHOTO_SUBJECTS = ['issue', 'check', 'completion'] as const;
export type PhotoSubject = (typeof PHOTO_SUBJECTS)[number];
/** The subject of a photo: `id` is that of the issue, the check entry or the completion's line. */
export type PhotoTarget = { on: PhotoSubject; onId: string };

/**
 * The permission to see photos of a subject, the same as for the subject. Roles that see issues also see the log book,
 * but not the reverse.
 */
export const PHOTO_PERMISSIONS: Readonly<Record<PhotoSubject, Permission>> = {
  issue: 'view_building_issues',
  check: 'view_logbook',
  completion: 'view_tasks',
};

/** Types that every browser can show; a phone's photo is converted to one of them. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

/**
 * The maximum size of a photo. A scaled-down photo has about half a megabyte; one that cannot be scaled down is sent as
 * it is, up to this limit.
 */
export const PHOTO_MAX_BYTES = 15 * 1024 * 1024;
/** The longer side of a sent photo and of a thumbnail in lists, in pixels. */
export const PHOTO_SIDE = 1_600;
export const THUMBNAIL_SIDE = 320;
export const THUMBNAIL_MAX_BYTES = 64 * 1024;
/** The most photos of one issue, one check entry or one completion. */
export const PHOTOS_MAX = 20;

/** The header with the offset of an upload's body in the file; in an answer, the number of bytes received. */
export const UPLOAD_OFFSET = 'upload-offset';

export function photoUrl(id: string): string {
  return `/files/photos/${id}`;
}

export function thumbnailUrl(id: string): string {
  return `/files/photos/${id}/thumbnail`;
}
