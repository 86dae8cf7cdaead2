import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Arrivals, Arriving, Fence } from './arrivals.ts';
import type { DiskSpace } from './disk-space.ts';
import type { ConfirmedPart, PartLedger } from './part-ledger.ts';
import { type LocalFile, type S3Client, S3Error, xmlAll, xmlText } from './s3-requests.ts';
import { type Storage, StorageError, toStorageError } from './storage.ts';
import { writeFully } from './write-fully.ts';

const MIB = 1024 * 1024;
/** Limits of S3: the number of parts of an upload, and the smallest size of each part but the last. */
const PARTS_MAX = 10_000;
const PART_MIN = 5 * MIB;
const PART_USUAL = 8 * MIB;

export type S3ArrivalsOptions = {
  client: S3Client;
  storage: Storage;
  ledger: PartLedger;
  /** A folder used for nothing else. */
  spool: string;
  space: DiskSpace;
};

/**
 * Uploads to S3: each part is gathered on this machine's disk and sent when it is complete, so memory use does not depend on
 * the size. The ledger contains the parts that S3 has confirmed, so any process can continue the upload.
 */
export function s3Arrivals({ client, storage, ledger, spool, space }: S3ArrivalsOptions): Arrivals {
  async function isFinished({ key, bytes }: Arriving): Promise<boolean> {
    return (await storage.head(key))?.bytes === bytes;
  }

  /** Returns the parts before the offset, and deletes later parts from the ledger. */
  async function partsBefore(file: Arriving, offset: number): Promise<ConfirmedPart[]> {
    const parts = await ledger.parts(file.id);
    let end = 0;
    const kept = parts.filter(({ bytes }) => {
      end += bytes;
      return end <= offset;
    });
    if (sumOf(kept) !== offset) throw new StorageError('gap');
    if (kept.length < parts.length) await ledger.cut(file.id, kept.length + 1);
    return kept;
  }

  async function sendPart(
    file: Arriving,
    multipartId: string,
    number: number,
    fence: Fence,
    body: LocalFile,
  ) {
    const query = { partNumber: number, uploadId: multipartId };
    const { etag } = await client.text({ method: 'PUT', key: file.key, query, body });
    fence.assertHeld();
    await ledger.add(file.id, fence.number, { number, bytes: body.bytes, etag, sha256: body.sha256 });
  }

  async function begin(file: Arriving, fence: Fence): Promise<string> {
    await storage.delete(file.key);
    const { text } = await client.text({ method: 'POST', key: file.key, query: { uploads: '' } });
    const multipartId = xmlText(text, 'UploadId');
    if (multipartId === undefined) throw new StorageError('unreachable');
    await ledger.begin(file.id, fence.number, multipartId);
    if (file.multipartId !== null) await abort(file.key, file.multipartId);
    return multipartId;
  }

  async function abort(key: string, uploadId: string): Promise<void> {
    // These statuses are accepted: the upload is gone already, or the service cannot abort it. Its parts are then never
    // completed.
    await client.text({ method: 'DELETE', key, query: { uploadId } }, [404, 405, 501]);
  }

  return {
    async received(file) {
      const sent = sumOf(await ledger.parts(file.id));
      if (sent > 0) return sent;
      return (await isFinished(file)) ? file.bytes : 0;
    },
    async append(file, offset, source, fence) {
      const partBytes = partBytesOf(file.bytes);
      const inOne = file.bytes <= partBytes;
      if (inOne && offset === file.bytes && offset > 0) {
        if (await isFinished(file)) return { received: offset };
        throw new StorageError('gap');
      }
      const parts = await partsBefore(file, offset);
      let multipartId = parts.length === 0 ? null : file.multipartId;
      let received = offset;
      let number = parts.length + 1;
      const whole = createHash('sha256');
      const path = join(spool, `${file.id}.${fence.number}.spool`);
      const send = async (body: LocalFile) => {
        fence.assertHeld();
        if (inOne) {
          await client.text({ method: 'PUT', key: file.key, body });
        } else {
          multipartId ??= await begin(file, fence);
          await sendPart(file, multipartId, number, fence, body);
          number += 1;
        }
        received += body.bytes;
      };
      try {
        await mkdir(spool, { recursive: true, mode: 0o700 });
        const gathered = gather(source, {
          path,
          partBytes,
          space,
          isFirst: offset === 0,
          left: file.bytes - offset,
          onPiece(piece) {
            fence.assertHeld();
            whole.update(piece);
          },
        });
        for await (const part of gathered) await send(part);
      } catch (error) {
        throw toStorageError(error);
      } finally {
        await rm(path, { force: true });
      }
      return offset === 0 && received === file.bytes
        ? { received, sha256: whole.digest('hex') }
        : { received };
    },
    async finish(file, fence) {
      fence.assertHeld();
      const parts = await ledger.parts(file.id);
      if (parts.length === 0) {
        if (!(await isFinished(file))) throw new StorageError('gap');
        return;
      }
      const list = parts.map(
        ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
      const query = { uploadId: file.multipartId ?? '' };
      try {
        await client.text({ method: 'POST', key: file.key, query, body });
      } catch (error) {
        // The upload may have been completed before a crash, or by a request whose answer was lost. Services refuse a second
        // completion with different errors. A file under the key can only be made of these parts, because `begin` deletes any
        // other.
        if (!(error instanceof S3Error) || !(await isFinished(file))) throw error;
      }
    },
    async pieces(file) {
      return (await ledger.parts(file.id)).map(({ bytes, sha256 }) => ({ bytes, sha256 }));
    },
    async drop(file) {
      if (file.multipartId !== null) await abort(file.key, file.multipartId);
      await ledger.cut(file.id, 1);
      await storage.delete(file.key);
    },
    async tidy(before, isKnown) {
      // Services that cannot list uploads answer with one of these statuses. Known uploads are aborted with their rows.
      const { text } = await client.text({ method: 'GET', query: { uploads: '' } }, [405, 501]);
      for (const upload of xmlAll(text, 'Upload')) {
        const [key = '', uploadId = ''] = [xmlText(upload, 'Key'), xmlText(upload, 'UploadId')];
        const begun = new Date(xmlText(upload, 'Initiated') ?? 0);
        if (begun < before && !(await isKnown(uploadId))) await abort(key, uploadId);
      }
    },
  };
}

type Gathering = {
  path: string;
  partBytes: number;
  space: DiskSpace;
  /** Whether the source begins at the start of the file. Only then does an empty source make an empty part. */
  isFirst: boolean;
  /** The most bytes that may still arrive. */
  left: number;
  onPiece(piece: Uint8Array): void;
};

/**
 * Writes a source to a file, part by part. If the source breaks off, the last bytes are yielded, too, if they are long
 * enough for a part of S3; otherwise they are dropped, and the uploader sends them again.
 */
async function* gather(
  source: Readable,
  { path, partBytes, space, isFirst, left, onPiece }: Gathering,
): AsyncGenerator<LocalFile> {
  const mayWrite = await space.begin();
  const file = await open(path, 'w', 0o600);
  let hash = createHash('sha256');
  let bytes = 0;
  let seen = 0;
  const part = (): LocalFile => ({ path, bytes, sha256: hash.digest('hex') });
  try {
    const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const next = await pieces.next().catch(brokenOff);
      if (next.done === true) break;
      seen += next.value.byteLength;
      if (seen > left) throw new StorageError('too_large');
      for (let at = 0; at < next.value.byteLength; ) {
        const piece = next.value.subarray(at, at + partBytes - bytes);
        await mayWrite(piece.byteLength);
        onPiece(piece);
        hash.update(piece);
        await writeFully(file, piece, bytes);
        bytes += piece.byteLength;
        at += piece.byteLength;
        if (bytes < partBytes) continue;
        yield part();
        hash = createHash('sha256');
        bytes = 0;
      }
    }
    const isLast = seen === left;
    if (bytes >= PART_MIN || (isLast && (bytes > 0 || (isFirst && left === 0)))) yield part();
  } finally {
    await file.close();
    source.destroy();
  }
}

/** The connection broke: the bytes that have arrived count. */
function brokenOff(error: unknown): { done: true; value: undefined } {
  if (toStorageError(error) instanceof StorageError) throw error;
  return { done: true, value: undefined };
}

/** The length of each part of a file but the last. */
function partBytesOf(bytes: number): number {
  return Math.max(PART_USUAL, Math.ceil(bytes / PARTS_MAX / MIB) * MIB);
}

function sumOf(parts: readonly { bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function escaped(etag: string): string {
  return etag.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
