import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const biome = fileURLToPath(new URL('../../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const configuration = fileURLToPath(new URL('../../../biome.json', import.meta.url));

const saving = (call: string) =>
  `async function save(): Promise<void> {}\nexport async function run(): Promise<void> {\n  ${call};\n}\n`;

/** One file for each rule that must be reported, and one without a fault. */
const FILES: Readonly<Record<string, string>> = {
  'server/floating.ts': saving('save()'),
  'server/awaited.ts': saving('await save()'),
  'server/any.ts': 'export const a: any = 1;\n',
  'server/assertion.ts': 'export const f = (a?: string) => a!.length;\n',
  'web/module.ts': "import { join } from 'node:path';\nexport const a = join('a');\n",
  'shared/module.ts': "import { join } from 'node:path';\nexport const a = join('a');\n",
  'web/global.ts': 'export const a = process.env;\n',
  'shared/global.ts': 'export const a = process.env;\n',
  'web/ui/mouse-only.tsx': 'export const Row = () => <div onClick={() => undefined}>open</div>;\n',
};

let said: string;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-lint-'));
  copyFileSync(configuration, join(folder, 'biome.json'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'lint', '--colors=off', '--max-diagnostics=none'],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: 30_000,
    },
  );
  said = stdout + stderr;
  rmSync(folder, { recursive: true });
});

/** The rules that the linter reports for a file. */
function rulesBrokenBy(path: string): string[] {
  const found = said.matchAll(/^(\S+?):\d+:\d+ lint\/\w+\/(\w+)/gm);
  return [...found].filter(([, file]) => file === path).map(([, , rule]) => rule ?? '');
}

describe('the linter', () => {
  test('reports a promise that is not awaited, and accepts one that is', () => {
    expect(rulesBrokenBy('server/floating.ts')).toEqual(['noFloatingPromises']);
    expect(rulesBrokenBy('server/awaited.ts')).toEqual([]);
  });

  test('reports any, and the assertion that something is not null', () => {
    expect(rulesBrokenBy('server/any.ts')).toEqual(['noExplicitAny']);
    expect(rulesBrokenBy('server/assertion.ts')).toEqual(['noNonNullAssertion']);
  });

  test.each(['web', 'shared'])('keeps Node out of %s', (layer) => {
    expect(rulesBrokenBy(`${layer}/module.ts`)).toContain('noNodejsModules');
    expect(rulesBrokenBy(`${layer}/global.ts`)).toContain('noProcessGlobal');
  });

  test('reports a control that only a mouse can use', () => {
    expect(rulesBrokenBy('web/ui/mouse-only.tsx')).toContain('useKeyWithClickEvents');
  });
});
