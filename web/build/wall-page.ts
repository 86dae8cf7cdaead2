import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { build, type Plugin, type Rolldown, transformWithOxc } from 'vite';

const FOLDER = new URL('../wall/', import.meta.url);
const WORKER = new URL('../worker/wall-worker.ts', import.meta.url);
/** The oldest browser of panels that still hang on walls (LG webOS 6). */
const TARGET = 'chrome79';
/** The alphabet that every screen needs. */
const FONT = /^assets\/inter-latin-wght-normal-[^/]*\.woff2$/;

/**
 * Builds `/wall`, the page of a display, as one file, so that it arrives whole or not at all; and `/wall-worker.js`, which
 * caches it. Both are built apart from the app: for another target, without its libraries, with styles without layers.
 */
export function wallPage(): Plugin {
  return {
    name: 'lintel:wall-page',
    enforce: 'post',
    configureServer(server) {
      server.middlewares.use('/wall', (request, response, next) => {
        if (request.url !== '/' && request.url?.startsWith('/?') !== true) return next();
        makePage(undefined).then(({ html }) => {
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end(html);
        }, next);
      });
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const font = Object.keys(bundle).find((name) => FONT.test(name));
        if (font === undefined) throw new Error('The build has no font for the page of a display');
        const { html, version } = await makePage(`/${font}`);
        this.emitFile({ type: 'asset', fileName: 'wall.html', source: html });
        const { code } = await transformWithOxc(await readFile(WORKER, 'utf8'), WORKER.pathname);
        const kept = JSON.stringify({ version, files: ['/wall', `/${font}`] });
        this.emitFile({
          type: 'asset',
          fileName: 'wall-worker.js',
          source: `const BUILD = ${kept};\n${code}`,
        });
      },
    },
  };
}

/** @param font the address of the font; absent in development, where the system's is good enough */
async function makePage(font: string | undefined): Promise<{ html: string; version: string }> {
  const [page, styles, script] = await Promise.all([
    readFile(new URL('wall.html', FOLDER), 'utf8'),
    readFile(new URL('wall.css', FOLDER), 'utf8'),
    makeScript(),
  ]);
  const face =
    font === undefined
      ? ''
      : `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url(${font}) format("woff2")}`;
  const version = createHash('sha256').update(page).update(face).update(styles).update(script).digest('hex');
  const html = page
    .replace('<!-- styles -->', () => `<style>${face}${styles.replace(/\/\*.*?\*\/|\n\s*/gs, '')}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`)
    .replace('VERSION', () => version.slice(0, 16));
  return { html, version: version.slice(0, 16) };
}

async function makeScript(): Promise<string> {
  const built = await build({
    configFile: false,
    root: FOLDER.pathname,
    logLevel: 'warn',
    build: {
      write: false,
      target: TARGET,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: new URL('main.ts', FOLDER).pathname,
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  // The cast: without `watch` and with one output the answer is one bundle.
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput;
  // The script is inlined into the page, so its text must not contain the end tag of a script.
  return output[0].code.trim().replaceAll('</script', '<\\/script');
}
