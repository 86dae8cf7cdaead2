import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { createApiKey } from '#tests/support/rows/api-keys.ts';

// A client that a generator makes from the description compiles, and works.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const PROGRAM = `
import { defaults, getIssue, listIssues } from './client.ts';

/** What another program does: reads all open issues, page by page, and then the first of them again. */
export async function titlesBy(baseUrl: string, key: string): Promise<string[]> {
  defaults.baseUrl = baseUrl;
  defaults.headers = { Authorization: \`Bearer \${key}\` };
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listIssues({ statuses: ['open', 'in_progress'], limit: 2, cursor });
    if (page.status !== 200) throw new Error(page.data.code);
    titles.push(...page.data.data.map(({ title }) => title));
    cursor = page.data.nextCursor ?? undefined;
    const [first] = page.data.data;
    if (first === undefined) continue;
    const again = await getIssue(first.id);
    if (again.status !== 200 || again.data.version !== first.version) throw new Error('another version');
  } while (cursor !== undefined);
  return titles;
}
`;
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    ...{ target: 'es2022', module: 'preserve', allowImportingTsExtensions: true, types: [] },
    lib: ['es2023', 'dom', 'dom.iterable'],
  },
};

let setting: LiveSetting;
let folder: string;

beforeAll(async () => {
  setting = await createLiveSetting();
  // Inside the project, because the client imports the generator's runtime.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache', 'generated-client-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await setting.end();
});

test('the client compiles, and reads what a key may see', async () => {
  const described = await fetch(`${setting.server.url}/api/v1/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await described.text());
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(folder, 'client.ts'), await generateSource(join(folder, 'openapi.json')));
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const { stdout } = await run(compiler, ['-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');

  for (const title of ['Lamp', 'Tap', 'Lift']) await setting.report(setting.here, title);
  await setting.report(setting.there, 'Elsewhere');
  const { key } = await createApiKey(setting.admin.client, { buildingIds: [setting.here.id] });
  // The cast: the program above.
  const { titlesBy } = (await import(join(folder, 'program.ts'))) as {
    titlesBy(baseUrl: string, key: string): Promise<string[]>;
  };
  expect(await titlesBy(`${setting.server.url}/api/v1`, key)).toEqual(['Lift', 'Tap', 'Lamp']);
  await expect(titlesBy(`${setting.server.url}/api/v1`, `${key}x`)).rejects.toThrow('unauthenticated');
});
