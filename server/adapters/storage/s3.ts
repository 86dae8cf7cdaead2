import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskSpace } from './disk-space.ts';
import { readMeasured } from './measured.ts';
import { type LocalFile, type S3Client, S3Error, xmlAll, xmlText } from './s3-requests.ts';
import { assertKey, STORAGE_DEFAULTS, type Storage, StorageError, toStorageError } from './storage.ts';
import { undefinedIfMissing } from './undefined-if-missing.ts';

/** The most bytes that S3 takes in one request. Larger files are sent in parts (`s3-arrivals.ts`). */
const ONE_REQUEST_MAX = 5 * 1024 ** 3;

/**
 * Stores files in a bucket. S3 needs the length and the hash of a file before its bytes, so a stream is first written to
 * this machine's disk.
 * @param spool a folder used for nothing else
 */
export function s3Storage(client: S3Client, spool: string, space: DiskSpace): Storage {
  /** Keys that this process is writing; S3-compatible services may not know `If-None-Match`. */
  const writing = new Set<string>();

  async function store(key: string, file: LocalFile, overwrite: boolean): Promise<void> {
    assertKey(key);
    if (file.bytes > ONE_REQUEST_MAX) throw new StorageError('too_large');
    if (writing.has(key) && !overwrite) throw new StorageError('exists');
    writing.add(key);
    try {
      if (!overwrite && (await head(key)) !== undefined) throw new StorageError('exists');
      const headers = {
        'cache-control': `max-age=${STORAGE_DEFAULTS.cacheSeconds}`,
        ...(overwrite ? {} : { 'if-none-match': '*' }),
      };
      await client.text({ method: 'PUT', key, headers, body: file });
    } catch (error) {
      throw error instanceof S3Error && error.status === 412 ? new StorageError('exists') : error;
    } finally {
      writing.delete(key);
    }
  }

  async function head(key: string): Promise<{ bytes: number } | undefined> {
    assertKey(key);
    const answer = await client.send({ method: 'HEAD', key }, [404]);
    answer.resume();
    return answer.statusCode === 404 ? undefined : { bytes: Number(answer.headers['content-length'] ?? 0) };
  }

  return {
    head,
    async put(key, source, options) {
      assertKey(key);
      const mayWrite = await space.begin();
      await mkdir(spool, { recursive: true, mode: 0o700 });
      const path = join(spool, `${randomUUID()}.spool`);
      try {
        const file = await open(path, 'wx', 0o600);
        const taken = await readMeasured(source, options, async (piece) => {
          await mayWrite(piece.byteLength);
          await file.appendFile(piece);
        }).finally(() => file.close());
        await store(key, { path, ...taken }, options.overwrite ?? STORAGE_DEFAULTS.overwrite);
        return taken;
      } catch (error) {
        throw toStorageError(error);
      } finally {
        await rm(path, { force: true });
      }
    },
    async adopt(key, path, { overwrite = STORAGE_DEFAULTS.overwrite } = {}) {
      const { size } = await stat(path);
      const hash = createHash('sha256');
      for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
      await store(key, { path, bytes: size, sha256: hash.digest('hex') }, overwrite);
      await rm(path, { force: true });
    },
    async get(key, range) {
      assertKey(key);
      const headers: Record<string, string> = {};
      if (range !== undefined) headers['range'] = `bytes=${range.start}-${range.end}`;
      const answer = await client.send({ method: 'GET', key, headers }, [404, 416]);
      if (answer.statusCode === 404 || answer.statusCode === 416) {
        answer.resume();
        return undefined;
      }
      const total = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1];
      return {
        bytes: Number(total ?? answer.headers['content-length'] ?? 0),
        cacheSeconds: STORAGE_DEFAULTS.cacheSeconds,
        stream: answer,
      };
    },
    async delete(key) {
      assertKey(key);
      await client.text({ method: 'DELETE', key }, [404]);
    },
    async list(prefix, { limit = STORAGE_DEFAULTS.limit, after } = {}) {
      // Version 1 of S3's list operation: its cursor is a key, and all services support it.
      const query = { prefix, 'max-keys': limit, ...(after === undefined ? {} : { marker: after }) };
      const { text } = await client.text({ method: 'GET', query });
      const files = xmlAll(text, 'Contents').map((content) => ({
        key: xmlText(content, 'Key') ?? '',
        bytes: Number(xmlText(content, 'Size')),
        at: new Date(xmlText(content, 'LastModified') ?? 0),
      }));
      return { files, next: xmlText(text, 'IsTruncated') === 'true' ? files.at(-1)?.key : undefined };
    },
    /** The bucket has no limit, but files on the way to it take space on this machine's disk. */
    free: space.forFiles,
    async tidy(before) {
      for (const name of (await readdir(spool).catch(undefinedIfMissing)) ?? []) {
        const found = await stat(join(spool, name)).catch(undefinedIfMissing);
        if (found !== undefined && found.mtime < before) await rm(join(spool, name), { force: true });
      }
    },
  };
}
