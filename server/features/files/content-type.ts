import { fileTypeFromBuffer } from 'file-type';

/** Bytes from the beginning of a file that tell its type. */
export const SNIFF_BYTES = 4_100;

/** Types that a browser may show by itself. HTML and SVG are none of them: they would run. */
const SHOWN = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'text/plain',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
] as const;

const BLOB = 'application/octet-stream';

/** Tells whether a browser may show a file of this type inside a page. */
export function isShown(contentType: string): boolean {
  return SHOWN.some((known) => known === plainType(contentType));
}

/** The type without its parameters. */
export function plainType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim() ?? '';
}

/**
 * Decides the type of a file by its first bytes. What the uploader declared counts only where the bytes tell nothing,
 * and never makes a file one that a browser would show.
 */
export async function typeOf(beginning: Uint8Array, declared: string): Promise<string> {
  const found = await fileTypeFromBuffer(beginning);
  if (found !== undefined) return found.mime;
  const charset = charsetOf(beginning);
  if (charset === undefined) return isShown(declared) || declared.startsWith('text/') ? BLOB : declared;
  if (declared === BLOB || declared === 'text/plain') return `text/plain; charset=${charset}`;
  return isShown(declared) ? BLOB : declared;
}

/** The character set of a text by its beginning; undefined if that is no text. */
function charsetOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Control characters that no text has; tab, line feed, form feed, carriage return and escape are left out.
  if (bytes.some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 32 && byte !== 27)))
    return undefined;
  try {
    // The last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
