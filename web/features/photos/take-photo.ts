import { PHOTO_MAX_BYTES, PHOTO_SIDE, THUMBNAIL_SIDE } from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { sha256Of } from '../../lib/sha256.ts';
import type { TakenPhoto } from './taken-photo.ts';

const QUALITY = 0.82;
const THUMBNAIL_QUALITY = 0.7;

/** A file that cannot be stored as a photo; the message is shown to the person. */
export class PhotoError extends Error {
  override name = 'PhotoError';
}

/**
 * Converts an image file to the photo that is stored and sent: an upright JPEG of at most 1600 pixels a side. Drawing
 * the image again strips all metadata, such as location and device. The hash is computed before the photo is sent.
 * @throws PhotoError
 */
export async function takePhoto(file: Blob): Promise<TakenPhoto> {
  const image = await decode(file);
  try {
    const { blob, width, height } = await draw(image, PHOTO_SIDE, QUALITY);
    if (blob.size > PHOTO_MAX_BYTES) throw new PhotoError(photoMessages.tooLarge);
    const small = await draw(image, THUMBNAIL_SIDE, THUMBNAIL_QUALITY);
    const [sha256, thumbnail] = await Promise.all([
      blob.arrayBuffer().then(sha256Of),
      small.blob.arrayBuffer().then(toBase64),
    ]);
    return { id: uuidv7(), blob, sha256, contentType: 'image/jpeg', about: { width, height, thumbnail } };
  } finally {
    image.close();
  }
}

/**
 * Returns only the thumbnail of a picture: a small JPEG, base64.
 * @throws PhotoError
 */
export async function makeThumbnail(file: Blob): Promise<string> {
  const image = await decode(file);
  try {
    const { blob } = await draw(image, THUMBNAIL_SIDE, THUMBNAIL_QUALITY);
    return toBase64(await blob.arrayBuffer());
  } finally {
    image.close();
  }
}

type Image = { source: CanvasImageSource; width: number; height: number; close(): void };

async function decode(file: Blob): Promise<Image> {
  try {
    const source = await createImageBitmap(file, { imageOrientation: 'from-image' });
    return { source, width: source.width, height: source.height, close: () => source.close() };
  } catch {
    // Some browsers decode formats through an image element that `createImageBitmap` does not support.
    return decodeByElement(file);
  }
}

async function decodeByElement(file: Blob): Promise<Image> {
  const url = URL.createObjectURL(file);
  const source = new Image();
  source.src = url;
  try {
    await source.decode();
  } catch (cause) {
    URL.revokeObjectURL(url);
    throw new PhotoError(photoMessages.unreadable, { cause });
  }
  const { naturalWidth: width, naturalHeight: height } = source;
  return { source, width, height, close: () => URL.revokeObjectURL(url) };
}

async function draw(image: Image, side: number, quality: number) {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new PhotoError(photoMessages.unreadable);
  // JPEG has no transparency: transparent areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image.source, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  // Releases the canvas memory at once; phones limit it and free it late.
  canvas.width = 0;
  if (blob === null) throw new PhotoError(photoMessages.unreadable);
  return { blob, width, height };
}

function toBase64(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}
