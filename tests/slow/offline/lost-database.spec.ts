import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { isDrafted, rowsOnPhone } from '#tests/support/browser/kept-on-phone.ts';
import { enterAs } from '#tests/support/browser/pages.ts';
import { createPhone, type Phone } from '#tests/support/browser/phone.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { noisyPicture, photoRows } from '#tests/support/rows/photos.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let dataDir: string;
let proxy: TcpProxy;
let phone: Phone;
let url: string;
let online = true;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-lost-'));
  server = await startTestServer(database, { env: { dataDir } });
  const port = Number(new URL(server.url).port);
  proxy = await startTcpProxy(() => (online ? port : undefined));
  url = `http://127.0.0.1:${proxy.port}`;
  phone = await createPhone();
});
afterAll(async () => {
  await phone.discard();
  await proxy.close();
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const LIGHTS = '/operative-tasks/emergency-lighting';
const WATER = '/operative-tasks/water-temperature';

test('a database that Chromium throws away, after it was killed in the middle of a write, is there again', async () => {
  const building = await createBuilding(server.services, { name: 'Harbour House' });
  const person = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
  const asset = { buildingId: building.id, name: 'Exit sign', type: 'emergency_light' } as const;
  const { id: light } = await createAsset(server.services, asset);
  const tap = {
    buildingId: building.id,
    name: 'Kitchen tap',
    type: 'water_outlet',
    outletKind: 'cold',
  } as const;
  await createAsset(server.services, tap);
  const water = `${url}${WATER}?site=${building.id}`;

  let page = await phone.open();
  await enterAs(page.context(), server, person, { url, lasting: true });
  await page.goto(`${url}${LIGHTS}?site=${building.id}`);
  await page.locator(`[data-row="${light}"]`).waitFor();
  const isReady = async () => {
    const worker = await page.evaluate(() => navigator.serviceWorker.controller !== null);
    return worker && (await secondCopies(page)).some((kept) => kept.includes('checks.sites'));
  };
  await expect.poll(isReady).toBe(true);

  await phone.close();

  online = false;
  proxy.cut();
  page = await phone.open();
  await page.goto(`${url}${LIGHTS}?site=${building.id}`);
  const row = page.locator(`[data-row="${light}"]`);
  await row.getByRole('button', { name: 'Pass', exact: true }).click();
  await page.getByLabel(/^Supply restored/).check();
  const picture = { name: 'photo.png', mimeType: 'image/png', buffer: noisyPicture(700, 520) };
  await page.locator('input[type=file]').first().setInputFiles(picture);
  await page.getByRole('button', { name: /not sent yet/ }).waitFor();
  await page.getByRole('button', { name: /^Record/ }).click();
  await page.getByText('Saved on this phone').first().waitFor();
  await page.getByRole('button', { name: 'Record another' }).waitFor();
  await type(page, water, '14.2');
  await expect.poll(() => sameTwice(page)).toBe(true);
  const twice = (await secondCopies(page)).map((kept) => kept.split('/')[3]);
  expect(new Set(twice)).toEqual(new Set(['copies', 'items', 'blobs', 'drafts']));

  // As after a kill during a write: the log ends with half a record, after which the next start continues to write.
  await phone.kill();
  await cutLog();
  page = await phone.open();
  await type(page, water, '14.25');
  await phone.kill();
  expect(await databaseLog()).not.toContain('Creating DB');

  page = await phone.open();
  await page.goto(`${url}/sync`);
  const waiting = page.getByRole('list', { name: 'Waiting to be sent' }).getByRole('listitem');
  await waiting.getByText('Photo 1').waitFor();
  await expect.poll(databaseLog).toContain('Creating DB');
  await page.goto(water);
  await expect.poll(() => temperature(page).inputValue()).toMatch(/^14\.2/);
  // The site is on the phone, too: another check can be recorded.
  await page.goto(`${url}${LIGHTS}?site=${building.id}`);
  await page.locator(`[data-row="${light}"]`).waitFor();

  online = true;
  await page.goto(`${url}/sync`);
  await page
    .getByText(/^Received/)
    .first()
    .waitFor();
  const { db, stores } = server.services;
  const visits = await db.select().from(operativeVisits);
  expect(visits.map(({ kind, recordedBy }) => [kind, recordedBy])).toEqual([
    ['emergency_lighting_test', person.id],
  ]);
  const stored = async () => (await photoRows(db)).map(({ state }) => state);
  await expect.poll(stored).toEqual(['stored']);
  const [photo] = await photoRows(db);
  const hash = createHash('sha256');
  const file = photo && (await stores.disk.storage.get(photo.key));
  for await (const piece of file?.stream ?? []) hash.update(piece);
  expect(hash.digest('hex')).toBe(photo?.sha256);
  // The phone no longer stores records that the server has.
  await expect
    .poll(async () => (await secondCopies(page)).filter((kept) => /items|blobs/.test(kept)))
    .toEqual([]);
});

const temperature = (page: Page) => page.getByLabel('Temperature of Kitchen tap', { exact: true });

/** Types into a form and waits until the draft is on the phone. */
async function type(page: Page, form: string, text: string): Promise<void> {
  await page.goto(form);
  await temperature(page).fill(text);
  await expect.poll(() => isDrafted(page, text)).toBe(true);
}

type Row = { id: string; userId: string; key: string; name: string };

/** Whether the mirror has exactly the rows of the database. */
async function sameTwice(page: Page): Promise<boolean> {
  const names = async (store: Parameters<typeof rowsOnPhone>[1], keyOf: (row: Row) => unknown) =>
    (await rowsOnPhone<Row>(page, store)).map((row) => `${store}/${JSON.stringify(keyOf(row))}`);
  const first = [
    ...(await names('items', ({ id }) => id)),
    ...(await names('blobs', ({ id }) => id)),
    ...(await names('drafts', ({ userId, key }) => [userId, key])),
    ...(await names('copies', ({ userId, name }) => [userId, name])),
  ];
  const second = (await secondCopies(page)).map((kept) => kept.split('/').slice(3).join('/'));
  return first.sort().join() === second.sort().join();
}

/** The names of the rows in the mirror. */
function secondCopies(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const requests = await (await caches.open('lintel-mirror')).keys();
    return requests.map((request) => decodeURIComponent(new URL(request.url).pathname));
  });
}

async function databaseFolder(): Promise<string> {
  const folder = join(phone.profile, 'Default', 'IndexedDB');
  const found = (await readdir(folder)).find((entry) => entry.endsWith('.leveldb'));
  return join(folder, found ?? '');
}

/** Chromium's own log of its database; each start begins a new log. */
async function databaseLog(): Promise<string> {
  return readFile(join(await databaseFolder(), 'LOG'), 'utf8');
}

async function cutLog(): Promise<void> {
  const folder = await databaseFolder();
  const last = (await readdir(folder))
    .filter((entry) => entry.endsWith('.log'))
    .sort()
    .at(-1);
  const path = join(folder, last ?? '');
  await truncate(path, (await stat(path)).size - 5);
}
