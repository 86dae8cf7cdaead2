import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Plugin, transformWithOxc } from 'vite';
import { PDFJS_PREFIX } from './pdfjs.ts';

const SOURCE = new URL('../worker/service-worker.ts', import.meta.url);
const PUBLIC = new URL('../public/', import.meta.url);
/** Files that the worker must not serve, because they remove the worker. */
const NEVER_KEPT = /^unregister\./;
/** The alphabet that every screen needs. */
const FONT_NEEDED = /-latin-wght-normal-[^/]*\.woff2$/;

/** Builds `/sw.js`: the service worker, preceded by the list of this build's files. */
export function serviceWorker(): Plugin {
  return {
    name: 'lintel:service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no page');
        const files: Record<string, string> = { '/index.html': sha256(page.source) };
        for (const name of (await readdir(PUBLIC)).sort()) {
          if (!NEVER_KEPT.test(name)) files[`/${name}`] = sha256(await readFile(new URL(name, PUBLIC)));
        }
        const named = Object.keys(bundle)
          .filter((name) => name.startsWith('assets/') && !name.endsWith('.map'))
          .map((name) => `/${name}`)
          .sort();
        const isRare = (name: string) =>
          name.startsWith(`/${PDFJS_PREFIX}`) || (name.endsWith('.woff2') && !FONT_NEEDED.test(name));
        const contents = {
          files,
          assets: named.filter((name) => !isRare(name)),
          rarely: named.filter(isRare),
        };
        const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE.pathname);
        const version = sha256(JSON.stringify(contents) + code).slice(0, 16);
        const build = JSON.stringify({ version, ...contents });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: `const BUILD = ${build};\n${code}` });
      },
    },
  };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
