import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** The types of files that compress well. */
const TEXT = /\.(js|css|html|svg|webmanifest|wasm|ttf)$/;
/** The smallest file worth compressing, in bytes. */
const WORTH_IT = 1_000;

/**
 * Writes a `.br` and a `.gz` file beside each file of the build whose type compresses well. The best compression is too
 * slow for a server to do while it answers.
 */
export function compressed(): Plugin {
  return {
    name: 'lintel:compressed',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      async handler({ dir = '' }) {
        const names = await readdir(dir, { recursive: true });
        await Promise.all(names.filter((name) => TEXT.test(name)).map((name) => compress(join(dir, name))));
      },
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < WORTH_IT) return;
  await Promise.all([
    promisify(brotliCompress)(content).then((small) => writeFile(`${file}.br`, small)),
    promisify(gzip)(content, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
  ]);
}
