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
const DECISIONS = 'docs/decisions';
const INDEX = `${DECISIONS}/README.md`;
const markdownIn = (folder: string) =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const decisions = markdownIn(DECISIONS).filter((path) => path !== INDEX);
const guides = ['README.md', ...SPECS, ...markdownIn('docs'), INDEX];
const documents = [...guides, ...decisions];
const sources = [
  ...['shared', 'db', 'server', 'web', 'scripts', 'tests'].flatMap(sourceFiles),
  ...['db/migrations', 'db/functions'].flatMap((folder) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => `${folder}/${name}`),
  ),
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

/** The numbers of rulings and of rules that a text refers to; a test's name may begin with `live/S2` or "O1". */
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
    const known = new Set([...rulings, ...rules]);
    const lost = decisions.flatMap((path) =>
      [...textOf(path).matchAll(/(?<![\w/@.-])[A-Z]\d{1,2}(?![\w.-])/g)]
        .filter(([id]) => !known.has(id))
        .map(([id]) => `${path}: ${id}`),
    );
    expect(lost).toEqual([]);
  });
});

/** The head of a decision: number, title, date of acceptance, and the decisions that it supersedes or is superseded by. */
const DECISION = /^# (\d+)\. (.+)\n\n(Accepted \d{4}-\d\d-\d\d\..*)\n\n([\s\S]+)\n$/;
const LINES = 10;
const WIDTH = 140;

describe('the decisions', () => {
  const parsed = decisions.map((path) => {
    const [, number, title, status = '', body = ''] = DECISION.exec(textOf(path)) ?? [];
    return { path, number: Number(number), title, status, body };
  });
  const numbers = parsed.map(({ number }) => number);

  test('have a number each, without a gap, in the name and in the heading', () => {
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => n + 1));
    const misnamed = parsed.filter(
      ({ path, number }) => !path.startsWith(`${DECISIONS}/${String(number).padStart(4, '0')}-`),
    );
    expect(misnamed).toEqual([]);
  });

  test(`have at most ${LINES} lines of ${WIDTH} characters`, () => {
    const long = parsed.filter(({ body }) => {
      const lines = body.split('\n');
      return lines.length > LINES || lines.some(({ length }) => length > WIDTH);
    });
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test('stand once in the index, with their title', () => {
    const listed = [...textOf(INDEX).matchAll(/^- \[(\d+)\. (.+)\]\(([\w-]+\.md)\)/gm)]
      .map(([, number, title, file]) => ({ path: `${DECISIONS}/${file}`, number: Number(number), title }))
      .sort((a, b) => a.number - b.number);
    expect(listed).toEqual(parsed.map(({ path, number, title }) => ({ path, number, title })));
  });

  test('name each other where one supersedes another, as the index does', () => {
    const statusOf = new Map(parsed.map(({ number, status }) => [number, status]));
    const superseding = parsed.flatMap(({ number, status }) =>
      [...status.matchAll(/(?<=\bSupersedes [^[.]*)\[(\d+)\]/g)].map(
        ([, old]) => [Number(old), number] as const,
      ),
    );
    const silent = superseding.filter(
      ([old, by]) => !new RegExp(`uperseded by \\[${by}\\]`).test(statusOf.get(old) ?? ''),
    );
    expect(silent).toEqual([]);
    expect(superseding.length).toBeGreaterThan(10);
    const ended = parsed.flatMap(({ number, status }) => {
      const by = /\*\*Superseded by \[(\d+)\]/.exec(status)?.[1];
      return by === undefined ? [] : [[number, by]];
    });
    const marked = [...textOf(INDEX).matchAll(/^- \[(\d+)\..* \(superseded by (\d+)\)$/gm)]
      .map(([, number, by]) => [Number(number), by] as const)
      .sort(([a], [b]) => a - b);
    expect(marked).toEqual(ended);
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

/** A name and the file that a guide gives for it, as in "`runCommand` (`server/kernel/commands.ts`)". */
const NAME_IN_FILE =
  /`(\w+)`(?: ❄)?(?:,| of| in)? \(?`((?:shared|db|server|web|scripts|tests)\/[\w./-]+\.tsx?)`/g;

test('names that a guide gives with a file are declared there', () => {
  const pairs = guides.flatMap((path) =>
    [...flattened(textOf(path)).matchAll(NAME_IN_FILE)].map(([, name = '', file = '']) => ({
      path,
      name,
      file,
    })),
  );
  const lost = pairs.filter(
    ({ name, file }) => !new RegExp(`\\b(?:const|function|type|class) ${name}\\b`).test(textOf(file)),
  );
  expect(lost.map(({ path, name, file }) => `${path}: ${name} in ${file}`)).toEqual([]);
  expect(pairs.length).toBeGreaterThan(15);
});
