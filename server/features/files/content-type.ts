import { fileTypeFromBuffer } from 'file-type';

/** The number of bytes at the beginning of a file that show its type. */
export const SNIFF_BYTES = 4_100;

/** Types that a browser may show by itself. HTML and SVG are not among them, because they can run scripts. */
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

/** The type of bytes of unknown type. */
export const BLOB = 'application/octet-stream';

/** Whether a browser may show a file of this type inside a page. */
export function isShown(contentType: string): boolean {
  return SHOWN.some((known) => known === plainType(contentType));
}

/** The type without its parameters. */
export function plainType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim() ?? '';
}

/**
 * Decides the type of a file by its first bytes. The declared type is used only if the bytes do not show a type, and only if it
 * is not a type that a browser would show.
 */
export async function typeOf(beginning: Uint8Array, declared: string): Promise<string> {
  const marked = markedCharsetOf(beginning);
  const found = marked === undefined ? await fileTypeFromBuffer(beginning) : undefined;
  if (found !== undefined) return found.mime;
  if (marked === undefined && isPdf(beginning)) return 'application/pdf';
  const charset = marked ?? charsetOf(beginning);
  if (charset === undefined) return isShown(declared) || declared.startsWith('text/') ? BLOB : declared;
  if (declared === BLOB || declared === 'text/plain') return `text/plain; charset=${charset}`;
  return isShown(declared) ? BLOB : declared;
}

/**
 * Readers accept a PDF whose header is within this many bytes (ISO 32000-1, implementation note 13): many programs write a
 * blank line or a mail's header before it.
 */
const PDF_HEADER_WITHIN = 1_024;

function isPdf(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).toString('latin1');
  return /(^|[\r\n\0])%PDF-\d\.\d/.test(start);
}

const MARKS = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;

/**
 * The character set of a text by its byte order mark. The whole beginning must be text, because audio may begin with the same two
 * bytes.
 */
function markedCharsetOf(bytes: Uint8Array): string | undefined {
  const [charset] = MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  if (charset === undefined) return undefined;
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
    return [...text].some((character) => isControl(character.codePointAt(0) ?? 0)) ? undefined : charset;
  } catch {
    return undefined;
  }
}

/** Control characters that do not occur in text; tab, line feed, form feed, carriage return and escape do occur. */
function isControl(code: number): boolean {
  return code < 9 || code === 11 || (code > 13 && code < 32 && code !== 27);
}

/** The character set of a text by its beginning; undefined if the bytes are not text. */
function charsetOf(bytes: Uint8Array): string | undefined {
  if (bytes.some(isControl)) return undefined;
  try {
    // The last character may be cut off.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
