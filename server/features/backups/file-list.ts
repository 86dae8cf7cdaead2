import { Readable } from 'node:stream';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';
import { isFileObject, partKey } from './object-keys.ts';
import { type Repository, readParts, type StoredPart } from './parts.ts';

/** A file of a backup. */
export type ListedFile = {
  sha256: string;
  bytes: number;
  /** Its key in the storage of the installation. */
  key: string;
  /** Its objects in the repository, with their sizes and hashes as stored. */
  parts: readonly StoredPart[];
};

const LINE = /^([0-9a-f]{64}) (\d+) (\S+) (\S+) (\d+:[0-9a-f]{64}(?:,\d+:[0-9a-f]{64})*)$/;

/** Formats the list of files, with a line `hash bytes key object size:hash,size:hash` for each file. */
export function formatFileList(files: readonly ListedFile[]): Readable {
  function* lines() {
    for (const { sha256, bytes, key, parts } of files) {
      const stored = parts.map((part) => `${part.bytes}:${part.sha256}`).join();
      yield Buffer.from(`${sha256} ${bytes} ${key} ${parts[0]?.key} ${stored}\n`);
    }
  }
  return withErrorListener(Readable.from(lines(), { objectMode: false }));
}

/**
 * Reads the list of files of a backup.
 * @throws BackupError if the list is missing, or differs from the list in the manifest
 */
export async function readFileList(
  { storage, signal }: Pick<Repository, 'storage' | 'signal'>,
  { files }: Pick<Manifest, 'files'>,
): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  const stream = readParts({ storage, cipher: undefined, ...(signal && { signal }) }, files.parts);
  for await (const line of linesOf(stream)) listed.push(parsed(line));
  return listed;
}

function parsed(line: string): ListedFile {
  const [, sha256 = '', bytes = '', key = '', object = '', stored = ''] = LINE.exec(line) ?? [];
  if (!isFileObject(object)) throw new BackupError('Its list of files is damaged.');
  const parts = stored.split(',').map((part, n) => {
    const [size, hash = ''] = part.split(':');
    return { key: partKey(object, n), bytes: Number(size), sha256: hash };
  });
  return { sha256, bytes: Number(bytes), key, parts };
}

/** Splits a stream into lines. Not `readline`, whose iterator does not forward errors of its input. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of stream) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
