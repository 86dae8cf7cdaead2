// Puts the server and all its packages into one file for `npm start`, and its reader of files into another beside it, with
// source maps, so that a stack trace goes on naming the files that were written. Everything else (tests, dev, admin) runs the sources.
//
//   node scripts/lib/server-build.mjs [folder]
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root, server } from './built.mjs';

/** Each file goes on finding what lies beside it. */
const ownAddress = {
  name: 'own-address',
  /** @type {'pre'} */
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null };
  },
};

const outDir = process.argv[2] ?? dirname(server.output);

/** Each is a file that needs no other of ours: the server, and the thread that it reads files in. */
for (const [name, source] of [
  ['main', 'server/boot/main.ts'],
  ['csv-worker', 'server/features/imports/csv-worker.ts'],
]) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [ownAddress],
    // Machine code is found beside its package.
    ssr: { noExternal: true, external: ['@node-rs/argon2'] },
    build: {
      ssr: source,
      outDir,
      emptyOutDir: name === 'main',
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js`, sourcemapExcludeSources: true } },
    },
  });
}
