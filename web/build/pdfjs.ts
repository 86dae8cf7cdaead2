import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = new URL('../../node_modules/pdfjs-dist/', import.meta.url);
const WORKER = { from: 'build/pdf.worker.min.mjs', to: 'pdf.worker.min.js' };
/** Decoders of pictures, character maps, fonts and colour profiles, each with its licence. */
const FOLDERS = ['wasm', 'cmaps', 'standard_fonts', 'iccs'];
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Where the parts of pdf.js are, followed by its version. */
export const PDFJS_PREFIX = 'assets/pdfjs-';

/**
 * Puts the files that pdf.js loads by itself below one address that contains its version: the worker, and files that only
 * some documents need. `web/features/documents/preview/pdfjs.ts` names that address, and the server gives the worker a
 * content security policy of its own.
 */
export function pdfjs(): Plugin {
  return {
    name: 'lintel:pdfjs',
    async generateBundle() {
      const folder = await folderOf();
      for (const [name, source] of await parts()) {
        this.emitFile({ type: 'asset', fileName: folder + name, source: await readFile(source) });
      }
    },
    async configureServer({ middlewares }) {
      const files = await parts();
      middlewares.use(`/${await folderOf()}`.slice(0, -1), (request, response, next) => {
        const name = (request.url ?? '').split('?', 1)[0]?.slice(1) ?? '';
        const source = files.get(name);
        if (source === undefined) return next();
        readFile(source).then((content) => {
          response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream');
          response.end(content);
        }, next);
      });
    },
  };
}

async function folderOf(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', PACKAGE), 'utf8'));
  return `${PDFJS_PREFIX}${version}/`;
}

/** The files, by their names below the address. */
async function parts(): Promise<Map<string, URL>> {
  const files = new Map([
    [WORKER.to, new URL(WORKER.from, PACKAGE)],
    ['LICENSE', new URL('LICENSE', PACKAGE)],
  ]);
  for (const folder of FOLDERS) {
    for (const name of (await readdir(new URL(folder, PACKAGE))).sort()) {
      files.set(`${folder}/${name}`, new URL(`${folder}/${name}`, PACKAGE));
    }
  }
  return files;
}
