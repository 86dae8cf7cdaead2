import type { PhotoType } from '#shared/features/photos.words.ts';

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
