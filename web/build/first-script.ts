import { readFile } from 'node:fs/promises';
import { minifySync, type Plugin, transformWithOxc } from 'vite';

const SOURCE = new URL('../first.ts', import.meta.url);
const PLACE = '<!-- first.ts -->';

/** Inlines `first.ts` into the page at its placeholder; the server's content security policy allows exactly this script. */
export function firstScript(): Plugin {
  return {
    name: 'lintel:first-script',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(PLACE)) throw new Error('The page has no place for its first script');
        const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE.pathname);
        const { code: small } = minifySync('first.js', `(() => {${code}})();`);
        return html.replace(PLACE, () => `<script>${small.trim()}</script>`);
      },
    },
  };
}
