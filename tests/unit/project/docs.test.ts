import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sourceFiles, textOf } from '#tests/support/code/imports.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const exists = (path: string) => existsSync(`${root}${path}`);

/** Each SPEC, with the folders in which it may name a file without its folder. */
const LAYERS_OF_SPECS: Readonly<Record<string, readonly string[]>> = {
  'server/live/SPEC.md': ['server', 'db', 'shared'],
  'server/features/files/SPEC.md': ['server', 'db', 'shared'],
  'web/offline/SPEC.md': ['web'],
  'web/worker/SPEC.md': ['web'],
};
const SPECS = Object.keys(LAYERS_OF_SPECS);
const DECISIONS = 'docs/decisions.md';
const documents = [
  'README.md',
  ...SPECS,
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const sources = [
  ...['shared', 'db', 'server', 'web', 'scripts', 'tests'].flatMap(sourceFiles),
  ...readdirSync(`${root}db/migrations`)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => `db/migrations/${name}`),
];

const ID = '[A-Z]\\d{1,2}';
const LIST = `${ID}(?:(?:, and |, | and | or | to )${ID})*`;

/** The numbers in a text such as "S2 to S4" or "R7, L11". */
function idsIn(list: string): string[] {
  return [...list.matchAll(new RegExp(ID, 'g'))].map(([id]) => id);
}

/** Joins wrapped comments into one line. */
function flattened(text: string): string {
  return text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ');
}

function rulesOf(spec: string): string[] {
  const text = textOf(spec);
  const ranges = [...text.matchAll(/\*\*([A-Z])(\d+)\*\* to \*\*\1(\d+)\*\*/g)].flatMap(
    ([, letter, first, last]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => `${letter}${Number(first) + n}`),
  );
  return [...[...text.matchAll(/\*\*([A-Z]\d{1,2})\b/g)].map(([, id]) => id ?? ''), ...ranges];
}

const rulings = [...textOf('docs/rulings.md').matchAll(/^### ([A-Z]\d{1,2}) /gm)].map(([, id]) => id ?? '');
const rules = new Set(SPECS.flatMap(rulesOf));

/** The numbers that a text calls rulings, and those it calls rules; a test's name may begin with `live/S2` or "O1". */
function referencesIn(path: string): { rulings: string[]; rules: string[] } {
  const text = flattened(textOf(path));
  const find = (pattern: string) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].flatMap(([, list]) => idsIn(list ?? ''));
  return {
    rulings: find(`\\brulings? (${LIST})`),
    rules: [
      ...find(`\\brules? (${LIST})`),
      ...find(`\\blive/(${ID})\\b`),
      ...find(`\\b(?:test|describe)\\('(O\\d{1,2}) `),
      ...find(`[a-z.] \\((O\\d{1,2}(?:, O\\d{1,2})*)\\)`),
    ],
  };
}

describe('the rulings', () => {
  test('are each settled once', () => {
    expect(rulings.filter((id, n) => rulings.indexOf(id) !== n)).toEqual([]);
    expect(rulings.length).toBeGreaterThan(80);
  });

  test('are there for every reference in code, tests and documents, and so are the rules', () => {
    const all = [...sources, ...documents].map((path) => ({ path, ...referencesIn(path) }));
    const lost = all.flatMap(({ path, ...found }) => [
      ...found.rulings.filter((id) => !rulings.includes(id)).map((id) => `${path}: ruling ${id}`),
      ...found.rules.filter((id) => !rules.has(id)).map((id) => `${path}: rule ${id}`),
    ]);
    expect(lost).toEqual([]);
    // Proves that the search itself finds something.
    expect(all.flatMap((found) => found.rulings).length).toBeGreaterThan(30);
    expect(all.flatMap((found) => found.rules).length).toBeGreaterThan(150);
  });

  test('are there for every number that a decision names', () => {
    const named = textOf(DECISIONS).matchAll(/(?<![\w/@.-])[A-Z]\d{1,2}(?![\w.-])/g);
    const known = new Set([...rulings, ...rules]);
    expect([...named].map(([id]) => id).filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('the decisions', () => {
  const text = textOf(DECISIONS);
  const numbers = [...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));

  test('have a number each, the newest first', () => {
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => numbers.length - n));
  });

  test('stand once in the index by subject', () => {
    const [, index = ''] = /^## By subject\n([\s\S]*?)^## \d/m.exec(text) ?? [];
    const listed = [...index.matchAll(/^\| [^|]+ \| ([\d, ]+) \|$/gm)]
      .flatMap(([, list = '']) => list.split(', ').map(Number))
      .sort((a, b) => b - a);
    expect(listed).toEqual(numbers);
  });

  test('are there for every reference in code, tests and documents', () => {
    const lost = [...sources, ...documents].flatMap((path) =>
      [...flattened(textOf(path)).matchAll(/\b[Dd]ecisions? (\d+(?:(?:, | and )\d+)*)/g)]
        .flatMap(([, list = '']) => list.match(/\d+/g) ?? [])
        .filter((number) => !numbers.includes(Number(number)))
        .map((number) => `${path}: decision ${number}`),
    );
    expect(lost).toEqual([]);
  });
});

/** The anchors of a document's headings. */
function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(Object.entries(LAYERS_OF_SPECS))('the rules of %s', (spec, layers) => {
  test('name files that exist in their layer', () => {
    const named = [...textOf(spec).matchAll(/`([\w.-][\w./-]*\.(?:tsx?|sql))`/g)].map(
      ([, file = '']) => file,
    );
    const lost = named.filter((file) => {
      if (file.startsWith('../')) return !exists(posix.join(posix.dirname(spec), file));
      return !sources.some(
        (path) =>
          path === file || (path.endsWith(`/${file}`) && layers.includes(path.split('/', 1)[0] ?? '')),
      );
    });
    expect(lost).toEqual([]);
    // Proves that the search itself finds something.
    expect(named.length).toBeGreaterThan(5);
  });
});

describe.each(documents)('%s', (path) => {
  test('links to what is there', () => {
    const links = [...textOf(path).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const broken = links.filter(([, to, anchor]) => {
      const target = to ? posix.join(posix.dirname(path), to) : path;
      return !exists(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('names files that are there', () => {
    const named = textOf(path).matchAll(/`((?:shared|db|server|web|scripts|tests|docs)\/[\w./-]+)`/g);
    expect([...named].map(([, file = '']) => file).filter((file) => !exists(file))).toEqual([]);
  });
});
