import type { AnnouncePhotoInput } from '#shared/features/photos/photos.ts';
import { PHOTO_TYPES, type PhotoType } from '#shared/features/photos/photos.vocabulary.ts';
import { timeOfUuidv7 } from '#shared/ids.ts';
import type { NewAttachment, QueuedCommand } from '../../offline/types.ts';

/** Metadata of a photo as plain JSON, stored with it until it is sent. */
export type AboutPhoto = { width: number; height: number; thumbnail?: string };

/** A photo as stored on the device until the server has it; the shape of a queued command's attachment. */
export type TakenPhoto = {
  /** UUIDv7; its timestamp is the time when the photo was taken. */
  id: string;
  blob: Blob;
  /** Hex; computed before anything is sent. */
  sha256: string;
  contentType: PhotoType;
  about: AboutPhoto;
};

/** The issue or completion to which a photo is added outside a form. */
export type PhotoPlace = Extract<AnnouncePhotoInput['of'], { issueId: string } | { completionId: string }>;

/** Returns the announcement of a photo added outside a form, and the attachment with its bytes. */
export function announcementOf(
  { id, blob, sha256, contentType, about }: TakenPhoto,
  of: PhotoPlace,
): { input: Omit<AnnouncePhotoInput, 'operationId'>; attachment: NewAttachment } {
  const takenAt = new Date(timeOfUuidv7(id)).toISOString();
  return {
    input: { id, of, sha256, contentType, bytes: blob.size, takenAt, ...about },
    attachment: { id, blob, sha256, about: { ...about, of } },
  };
}

/** Reads stored metadata, which another version of the app may have written. */
export function aboutPhoto(kept: unknown): AboutPhoto {
  const field = (name: keyof AboutPhoto): unknown => Reflect.get(Object(kept), name);
  const side = (name: 'width' | 'height') => {
    const value = field(name);
    return typeof value === 'number' && value >= 1 ? Math.round(value) : 1;
  };
  const thumbnail = field('thumbnail');
  return {
    width: side('width'),
    height: side('height'),
    ...(typeof thumbnail === 'string' ? { thumbnail } : {}),
  };
}

/** Returns the issue or completion to which a photo was added outside a form; undefined for a photo of a form. */
export function placeIn(about: unknown): PhotoPlace | undefined {
  const of: unknown = Reflect.get(Object(about), 'of');
  const { issueId, completionId } = Object(of) as Record<string, unknown>;
  if (typeof issueId === 'string') return { issueId };
  return typeof completionId === 'string' ? { completionId } : undefined;
}

/** Returns the id of the issue or completion of a photo; an issue and a completion never have the same id. */
export function placeId(of: PhotoPlace): string {
  return 'issueId' in of ? of.issueId : of.completionId;
}

/**
 * Returns a command's photos with the given ids, if their bytes are still on this device, in the order of `ids`.
 */
export function filesOf(
  { attachments }: Pick<QueuedCommand, 'attachments'>,
  files: ReadonlyMap<string, Blob>,
  ids: readonly string[],
): TakenPhoto[] {
  return ids.flatMap((id) => {
    const attachment = attachments.find((one) => one.id === id);
    const blob = files.get(id);
    if (attachment === undefined || blob === undefined) return [];
    const contentType = PHOTO_TYPES.find((type) => type === attachment.contentType) ?? 'image/jpeg';
    return [{ id, blob, sha256: attachment.sha256, contentType, about: aboutPhoto(attachment.about) }];
  });
}
