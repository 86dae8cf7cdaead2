import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';

// A client that a generator makes from the description compiles, and works.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const PROGRAM = `
import { createDocument, createIssue, defaults, getIssue, listIssues, updateIssue } from './client.ts';

export function useKey(baseUrl: string, key: string): void {
  defaults.baseUrl = baseUrl;
  defaults.headers = { Authorization: \`Bearer \${key}\` };
}

/** The titles of all open issues, read page by page; the first of each page is read once more by its id. */
export async function readTitles(): Promise<string[]> {
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

/** Reports an issue, twice as after a lost answer, and resolves it. */
export async function reportAndResolve(buildingId: string, title: string): Promise<string> {
  const report = () => createIssue('sensor-4711', { buildingId, title, priority: 'low' });
  const [reported, again] = [await report(), await report()];
  if (reported.status !== 201) throw new Error(reported.data.code);
  if (again.status !== 201) throw new Error(again.data.code);
  if (reported.data.id !== again.data.id) throw new Error('reported twice');
  const { headers } = await getIssue(reported.data.id);
  const resolved = await updateIssue(reported.data.id, headers.get('etag') ?? '', { status: 'resolved' });
  if (resolved.status !== 200) throw new Error(resolved.data.code);
  return resolved.data.status;
}

/** Uploads a document, and returns its id. */
export async function file(buildingId: string, text: string): Promise<string> {
  const stored = await createDocument(buildingId, 'Certificate.txt', 'certificate-1', new Blob([text]));
  if (stored.status !== 201) throw new Error(stored.data.code);
  return stored.data.id;
}
`;
type Program = {
  useKey(baseUrl: string, key: string): void;
  readTitles(): Promise<string[]>;
  reportAndResolve(buildingId: string, title: string): Promise<string>;
  file(buildingId: string, text: string): Promise<string>;
};
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

test('the client compiles, reads what a key may see, and writes', async () => {
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
  const { useKey, readTitles, reportAndResolve, file } = (await import(
    join(folder, 'program.ts')
  )) as Program;
  const api = `${setting.server.url}/api/v1`;
  useKey(api, key);
  expect(await readTitles()).toEqual(['Lift', 'Tap', 'Lamp']);
  expect(await reportAndResolve(setting.here.id, 'Flow temperature too low')).toBe('resolved');
  expect(await readTitles()).toEqual(['Lift', 'Tap', 'Lamp']);
  const documentId = await file(setting.here.id, 'Tested by Acme');
  // The functions of this generator read only JSON.
  const content = await callApi(setting.server.url, key, `/documents/${documentId}/content`);
  expect(await content.text()).toBe('Tested by Acme');
  useKey(api, `${key}x`);
  await expect(readTitles()).rejects.toThrow('unauthenticated');
});
