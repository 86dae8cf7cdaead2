import type { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import { createYielder } from '../../kernel/concurrency/yield-to-event-loop.ts';

/** A folder or a file of an archive. The path of a folder ends with a slash. */
export type ZipEntry = { path: string; modifiedAt: Date; file: ZipFile | null };
type ZipFile = {
  /** The exact size of the file. */
  bytes: number;
  open(): Promise<Readable>;
};

/** Bytes that are sent together: the library makes one piece for each record, and thousands of records are small. */
const PIECE = 16 * 1024;

/**
 * Writes a ZIP file while it is read: with ZIP64 if sizes need it, not compressed, one file open at a time. Yields to the
 * event loop between parts, also in its directory.
 * @throws Error if a file has another size than announced, or cannot be opened; the archive is then incomplete
 */
export async function* zipOf(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  const turn = createYielder();
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of makeZip(inputsOf(entries))) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes < PIECE) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
    await turn();
  }
  yield Buffer.concat(parts);
}

/** The entries in the library's form; each file is closed before the next one is opened. */
async function* inputsOf(entries: Iterable<ZipEntry>) {
  for (const { path: name, modifiedAt: lastModified, file } of entries) {
    const source = await file?.open();
    if (file === null || source === undefined) {
      yield { name, lastModified };
      continue;
    }
    try {
      yield { name, lastModified, input: measured(source, file.bytes), size: file.bytes };
    } catch {
      // The library throws here when the reader has left.
      return;
    } finally {
      source.destroy();
    }
  }
}

async function* measured(source: AsyncIterable<Uint8Array>, announced: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.byteLength;
    yield piece;
  }
  if (bytes !== announced) throw new Error(`a file has ${bytes} bytes instead of ${announced}`);
}
