import { pictureSize } from './picture-size.ts';

/** Maximum size of a thumbnail that the server accepts, in bytes. */
const MOST_BYTES = 40 * 1024;
/** Maximum number of pixels. Larger pictures need more memory than a phone has, at four bytes a pixel. */
const MOST_PIXELS = 60_000_000;
const MOST_FILE_BYTES = 50 * 1024 * 1024;

/**
 * Makes a small JPEG of a picture, or of the first page of a PDF, in base64; undefined for other files and for files
 * that this browser cannot decode.
 */
export async function thumbnailFor(file: File): Promise<string | undefined> {
  try {
    const picture = await pictureOf(file);
    if (picture === undefined) return undefined;
    const { makeThumbnail } = await import('../../../photos/take-photo.ts');
    const thumbnail = await makeThumbnail(picture);
    return thumbnail.length * 0.75 > MOST_BYTES ? undefined : thumbnail;
  } catch {
    // The document is uploaded without a thumbnail.
    return undefined;
  }
}

async function pictureOf(file: File): Promise<Blob | undefined> {
  if (file.type === 'application/pdf') return (await import('./pdf-picture.ts')).firstPageOf(file);
  if (!/^image\/(png|jpeg|gif|webp)$/.test(file.type) || file.size > MOST_FILE_BYTES) return undefined;
  const size = await pictureSize(file);
  return size !== undefined && size.width * size.height <= MOST_PIXELS ? file : undefined;
}
