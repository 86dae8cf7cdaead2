import { z } from 'zod';
import { PHOTO_MAX_BYTES, PHOTO_SUBJECTS, PHOTO_TYPES, THUMBNAIL_MAX_BYTES } from './photos.vocabulary.ts';
import { photoMessages } from './photos-messages.ts';

const SIDE_MAX = 20_000;
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const sideSchema = z.number().int().min(1).max(SIDE_MAX);
const typeSchema = z.enum(PHOTO_TYPES, photoMessages.notAPicture);
const placeShape = { on: z.enum(PHOTO_SUBJECTS), onId: z.uuid() };

/** A stored photo as answers and events carry it. Its bytes are at `photoUrl(id)`. */
export const photoSchema = z.object({
  id: z.uuid(),
  ...placeShape,
  /** Null while its check is held: then only people who decide about held records see the photo. */
  buildingId: z.uuid().nullable(),
  contentType: typeSchema,
  bytes: z.number().int(),
  /** The hash of the sent bytes, as the phone computed it before sending. */
  sha256: sha256Schema,
  width: sideSchema,
  height: sideSchema,
  hasThumbnail: z.boolean(),
  /** By the phone's clock. */
  takenAt: z.string(),
  receivedAt: z.string(),
  uploadedBy: z.uuid(),
  /** The uploader's name when the photo was announced, and their present name if it has changed. */
  uploadedByName: z.string(),
  uploadedByNow: z.string().nullable(),
  /**
   * The person who imported the photo from a file. That the uploader made the photo is then known only from the file.
   */
  importedByName: z.string().nullable(),
  version: z.number().int(),
});
export type Photo = z.infer<typeof photoSchema>;

/** Input of `photos.announce`. `id` is made by the phone (UUIDv7); announcing it again has no further effect. */
export const announcePhotoInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  /** An issue, a visit with an entry that lists this photo's id, or the line of a task's completion. */
  of: z.union([
    z.strictObject({ issueId: z.uuid() }),
    z.strictObject({ visitId: z.uuid() }),
    z.strictObject({ completionId: z.uuid() }),
  ]),
  sha256: sha256Schema,
  bytes: z.number().int().min(1, photoMessages.notAPicture).max(PHOTO_MAX_BYTES, photoMessages.tooLarge),
  contentType: typeSchema,
  width: sideSchema,
  height: sideSchema,
  takenAt: z.iso.datetime(),
  /** A small JPEG or WebP in base64, made on the phone; absent if the phone could not make one. */
  thumbnail: z
    .base64()
    .max(Math.ceil(THUMBNAIL_MAX_BYTES / 3) * 4)
    .optional(),
});
export type AnnouncePhotoInput = z.infer<typeof announcePhotoInput>;

/** The progress of an upload: `received` bytes have arrived; `stored` is true once all have and their hash is right. */
export type PhotoProgress = { id: string; version: number; received: number; stored: boolean };

/** Input of `photos.list`. */
export const listPhotosInput = z.strictObject(placeShape);
export type ListPhotosInput = z.infer<typeof listPhotosInput>;

/** Input of `photos.remove`. */
export const removePhotoInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RemovePhotoInput = z.infer<typeof removePhotoInput>;
