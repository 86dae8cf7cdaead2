import { Readable } from 'node:stream';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { NamedFile } from './dump-database.ts';
import type { Manifest } from './manifest.ts';
import { type Repository, readParts } from './parts.ts';

/** A file of a backup. `key` is its key in the storage of the installation. */
export type ListedFile = Pick<NamedFile, 'sha256' | 'bytes' | 'key'>;

/** The list of files as it is stored: a line `hash bytes key` for each. */
export function formatFileList(files: readonly ListedFile[]): Readable {
  function* lines() {
    for (const { sha256, bytes, key } of files) yield Buffer.from(`${sha256} ${bytes} ${key}\n`);
  }
  return withErrorListener(Readable.from(lines(), { objectMode: false }));
}

/** Reads the list of files of a backup. Its bytes are those of the manifest if `checkParts` has passed. */
export async function* readFileList(
  { storage }: Pick<Repository, 'storage'>,
  { files }: Pick<Manifest, 'files'>,
): AsyncGenerator<ListedFile, void, undefined> {
  const stream = readParts(
    { storage, cipher: undefined },
    files.parts.map(({ key }) => key),
  );
  for await (const line of linesOf(stream)) {
    const [sha256 = '', bytes = '', key = ''] = line.split(' ');
    yield { sha256, bytes: Number(bytes), key };
  }
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
