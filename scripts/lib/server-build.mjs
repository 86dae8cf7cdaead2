// Bundles the server with all its packages into one file for `npm start`. Each worker thread is bundled into its own file
// beside it, and so are the operator's commands, for images. With source maps, stack traces name the source files. Everything
// else (tests, dev, and `npm run admin`) runs the sources.
//
//   node scripts/lib/server-build.mjs [folder]
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root, server } from './built.mjs';

/** Keeps `import.meta.url` pointing at the source file, so that each module finds the files beside it. */
const ownAddress = {
  name: 'own-address',
  /** @type {'pre'} */
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null };
  },
};

/**
 * Escapes the few characters outside Latin-1. With a single such character, V8 stores the whole source with two bytes per
 * character, which costs 3 MiB while the server runs.
 */
const latin1 = {
  name: 'latin-1',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(/(\\?)([^\0-\xff])/g, (_whole, before, unit) => {
        if (before !== '') throw new Error(`${file.fileName}: "\\${unit}" cannot be escaped`);
        return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      });
    }
  },
};

const outDir = process.argv[2] ?? dirname(server.output);

/** The self-contained files: the server, the worker threads that read imported files, and the operator's commands. */
for (const [name, source] of [
  ['main', 'server/boot/main.ts'],
  ['csv-worker', 'server/features/imports/csv-worker.ts'],
  ['unsent-worker', 'server/offline/unsent-worker.ts'],
  ['admin', 'scripts/admin.ts'],
]) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [ownAddress, latin1],
    // A native binary must be loaded from its package.
    ssr: { noExternal: true, external: ['@node-rs/argon2'] },
    build: {
      ssr: source,
      outDir,
      emptyOutDir: name === 'main',
      target: 'node20',
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        output: {
          entryFileNames: `${name}.js`,
          sourcemapExcludeSources: true,
          // Without it a CommonJS polyfill (reflect-metadata) runs after the modules that need it.
          strictExecutionOrder: true,
        },
      },
    },
  });
}
