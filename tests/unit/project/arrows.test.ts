import { describe, expect, test } from 'vitest';
import { circlesIn } from '#tests/support/code/circles.ts';
import { type Import, importsIn, sourceFiles, textOf } from '#tests/support/code/imports.ts';
import { ARROWS, partOf } from '#tests/support/code/parts.ts';

/** The only import of the web from the server. */
const CROSSING = "import type { AppRouter } from '#server/boot/router.ts'";

/** Packages that are used only within one folder, which wraps them. */
const WRAPPED: Readonly<Record<string, string>> = {
  '@headlessui/react': 'web/ui/',
  lucia: 'server/adapters/auth/',
  '@node-rs/argon2': 'server/adapters/auth/',
};

/** These folders know rows, controls and ports, but not the product. */
const PRODUCT_WORDS = ['issue', 'task', 'asset', 'operative', 'logbook', 'discipline'];
const WITHOUT_PRODUCT_WORDS: Readonly<Record<string, readonly string[]>> = {
  'server/live': PRODUCT_WORDS,
  'web/live': PRODUCT_WORDS,
  'web/offline': [...PRODUCT_WORDS, 'building'],
  'web/ui': [...PRODUCT_WORDS, 'building'],
  'server/adapters': [...PRODUCT_WORDS, 'building'],
  'db/embedded': [...PRODUCT_WORDS, 'building'],
};
/** A list of common passwords is data. */
const DATA = ['server/adapters/auth/common-passwords.ts'];

/** The folder of a file's part: `web/features/*` becomes `web/features/issues`. */
function folderOf(path: string): string {
  const part = partOf(path);
  return part.endsWith('/*') ? path.split('/').slice(0, 3).join('/') : part;
}

/** The reason why an import is not allowed, or undefined. */
function objectionTo({ from, to, specifier, statement, typeOnly }: Import): string | undefined {
  if (to === undefined) {
    const home = Object.entries(WRAPPED).find(
      ([name]) => specifier === name || specifier.startsWith(`${name}/`),
    )?.[1];
    return home === undefined || from.startsWith(home) ? undefined : `${specifier} belongs into ${home}`;
  }
  const [ownLayer, otherLayer] = [from.split('/')[0], to.split('/')[0]];
  if (ownLayer === otherLayer && specifier.startsWith('#')) return 'inside a layer paths are relative';
  if (ownLayer !== otherLayer && !specifier.startsWith('#')) return 'across layers paths begin with #';
  if (!/\.(tsx?|css|json|svg|sql|woff2)(\?\w+)?$/.test(specifier))
    return 'the name of the file is missing its ending';

  if (ownLayer === 'web' && otherLayer === 'server') {
    return typeOnly && statement === CROSSING ? undefined : `only "${CROSSING}" crosses from web to server`;
  }
  // The version of the product is in this file.
  if (to === 'package.json') return undefined;
  const [own, other] = [folderOf(from), folderOf(to)];
  if (own === other) return undefined;
  const allowed = (ARROWS[partOf(from)] ?? []).some((name) =>
    name.endsWith('/*') ? other.startsWith(name.slice(0, -1)) : other === name,
  );
  if (!allowed) return `${own} may not import ${other}`;
  if (
    own.startsWith('server/features/') &&
    other.startsWith('server/features/') &&
    !to.endsWith('.queries.ts') &&
    !to.endsWith('.writes.ts')
  ) {
    return 'of another feature only queries and writes';
  }
  return undefined;
}

const files = ['shared', 'db', 'server', 'web'].flatMap(sourceFiles);

describe('the arrows', () => {
  test('every import follows them', () => {
    const imports = files.flatMap((path) => importsIn(path));
    expect(imports.length).toBeGreaterThan(100);
    const broken = imports.flatMap((one) => {
      const objection = objectionTo(one);
      return objection === undefined ? [] : [`${one.from} → ${one.specifier}: ${objection}`];
    });
    expect(broken).toEqual([]);
  });

  test.each([
    ['shared/live/live.ts', "import { x } from '#db/client.ts'"],
    ['web/live/cache.ts', "const x = await import('../app/routes.tsx')"],
    ['server/features/issues/issues.commands.ts', "import { x } from '../users/users.commands.ts'"],
  ])('%s may not say: %s', (path, text) => {
    expect(importsIn(path, `${text};\n`).map(objectionTo)).toEqual([expect.any(String)]);
  });
});

describe('circles', () => {
  const edges = files.flatMap((path) =>
    importsIn(path).flatMap(({ from, to, typeOnly }) =>
      // Imports of types are left out, because a circle of types exists only for the compiler.
      to === undefined || typeOnly || !/\.tsx?$/.test(to) ? [] : [[from, to] as const],
    ),
  );
  test('there is none between files, types included', () => {
    const all = files.flatMap((path) =>
      importsIn(path).flatMap(({ from, to }) =>
        to === undefined || !/\.tsx?$/.test(to) ? [] : [[from, to] as const],
      ),
    );
    expect(circlesIn(all)).toEqual([]);
  });

  const folders = new Set(
    files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))),
  );

  test.each([...folders].sort())('there is none between what lies in "%s"', (folder) => {
    const start = folder === '' ? '' : `${folder}/`;
    const childOf = (path: string) => `${start}${path.slice(start.length).split('/', 1)[0]}`;
    const between = edges
      .filter(([from, to]) => from.startsWith(start) && to.startsWith(start))
      .map(([from, to]) => [childOf(from), childOf(to)] as const);
    expect(circlesIn(between)).toEqual([]);
  });
});

describe('what knows nothing of the product', () => {
  test.each(Object.entries(WITHOUT_PRODUCT_WORDS))('%s does not use its words', (folder, words) => {
    const found = sourceFiles(folder)
      .filter((path) => !DATA.includes(path))
      .flatMap((path) => {
        // Splits names: `issueRow` is about issues, `queueMicrotask` not about tasks. Imports may name such files.
        const text = textOf(path)
          .replace(/^.*\bfrom '.*$/gm, '')
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .toLowerCase();
        return words
          .filter((word) => new RegExp(`\\b${word}s?\\b`).test(text))
          .map((word) => `${path}: ${word}`);
      });
    expect(found).toEqual([]);
  });
});
