// Puts the server and all its packages into one file for `npm start`, with source maps, so that a stack trace goes on
// naming the files that were written. Everything else (tests, dev, admin) runs the sources.
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

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [ownAddress],
  // Machine code is found beside its package.
  ssr: { noExternal: true, external: ['@node-rs/argon2'] },
  build: {
    ssr: 'server/main.ts',
    outDir: process.argv[2] ?? dirname(server.output),
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'main.js', sourcemapExcludeSources: true } },
  },
});
