import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { noChunkCircles } from './build/chunk-circles.ts';
import { chunkGroups, preloadMainChunk } from './build/chunks.ts';
import { compressed } from './build/compressed.ts';
import { firstScript } from './build/first-script.ts';
import { pdfjs } from './build/pdfjs.ts';
import { serviceWorker } from './build/service-worker.ts';
import { wallPage } from './build/wall-page.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: here,
  plugins: [
    react(),
    tailwindcss(),
    firstScript(),
    preloadMainChunk(),
    noChunkCircles(),
    pdfjs(),
    serviceWorker(),
    wallPage(),
    compressed(),
    withoutLanguages(),
    routerWithoutWarnings(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // A test reads the manifest to measure which chunk belongs to the first route. The server serves the built files unchanged.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: `${here}index.html`, start: `${here}start.tsx` },
      output: {
        codeSplitting: { groups: chunkGroups(here) },
        // Without this, gathered chunks would be named after all their importers, which is too long for an address.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  server: {
    proxy: {
      '/trpc': { target: `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`, ws: true },
      '/api': `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`,
      '/ut': `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`,
      '/files': `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`,
    },
  },
});

/**
 * Leaves out the languages of the validation library, because the app has its own error sentences. The languages are more
 * than half of the library's size, which every form would load.
 */
function withoutLanguages(): Plugin {
  const nothing = '\0without-languages';
  return {
    name: 'without-languages',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source.endsWith('/locales/index.js') && importer?.includes('/zod/') === true ? nothing : undefined,
    load: (id) => (id === nothing ? 'export {};' : undefined),
  };
}

/** Resolves the router to its production build. The package names only the development build, which is 2 kB larger. */
function routerWithoutWarnings(): Plugin {
  const builds: Readonly<Record<string, string>> = {
    'react-router': 'index.mjs',
    'react-router/dom': 'dom-export.mjs',
  };
  return {
    name: 'router-without-warnings',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      const file = builds[source];
      if (file === undefined) return undefined;
      return fileURLToPath(new URL(`../node_modules/react-router/dist/production/${file}`, import.meta.url));
    },
  };
}
