import type { AnnouncePhotoInput } from '#shared/features/photos.ts';
import { PHOTO_TYPES, type PhotoType } from '#shared/features/photos.vocabulary.ts';
import { timeOfUuidv7 } from '#shared/ids.ts';
import type { NewAttachment, QueuedCommand } from '../../offline/types.ts';

/** What is known of a photo besides its bytes; plain JSON, kept with it until it is sent. */
export type AboutPhoto = { width: number; height: number; thumbnail?: string };

/** A photo as the device keeps it until the server has it: what an outbox entry takes as an attachment. */
export type TakenPhoto = {
  /** UUIDv7: it tells when the photo was taken. */
  id: string;
  blob: Blob;
  /** Hex, noted before anything is sent. */
  sha256: string;
  contentType: PhotoType;
  about: AboutPhoto;
};

/** What is said of a photo that belongs to no form: of what it is, and that with its bytes. */
export function announcementOf(
  { id, blob, sha256, contentType, about }: TakenPhoto,
  issueId: string,
): { input: Omit<AnnouncePhotoInput, 'operationId'>; attachment: NewAttachment } {
  const of = { issueId };
  const takenAt = new Date(timeOfUuidv7(id)).toISOString();
  return {
    input: { id, of, sha256, contentType, bytes: blob.size, takenAt, ...about },
    attachment: { id, blob, sha256, about: { ...about, of } },
  };
}

/** Reads what was kept, perhaps by another version of the page. */
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

/** The issue that a photo was taken of, where that was said of the photo alone. */
export function issueIn(about: unknown): string | undefined {
  const id: unknown = Reflect.get(Object(Reflect.get(Object(about), 'of')), 'issueId');
  return typeof id === 'string' ? id : undefined;
}

/** What was taken with an entry and is still on this device: some of its attachments, in this order. */
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
