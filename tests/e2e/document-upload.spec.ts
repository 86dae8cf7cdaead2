import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DocumentPlace } from '#shared/features/documents.ts';
import { uploadMessages } from '#shared/features/uploads-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestClient, type TestClient } from '#tests/support/client.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/factories.ts';
import { live } from '#tests/support/issues-screen.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

const MIB = 1024 * 1024;
/** Bytes a second, so that an upload can be cut in the middle. */
const SLOW = { latency: 0, downloadThroughput: -1, uploadThroughput: 6 * MIB };
const WITHIN = { timeout: 20_000 };

let setting: WebSetting;
let site: TestBuilding;
let admin: TestPerson;
let viewer: TestPerson;
let client: TestClient;
let disciplineId: string;
let fire: DocumentPlace;

beforeAll(async () => {
  setting = await createWebSetting();
});
beforeEach(async () => {
  const { server } = setting;
  site = await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, { role: 'admin' });
  viewer = await createPerson(server.services, { role: 'viewer', buildings: [site.id] });
  client = createTestClient(server.url, await signInAs(server, admin));
  disciplineId = uuidv7();
  fire = { at: 'discipline', disciplineId };
  const name = `Fire ${disciplineId.slice(-6)}`;
  await client.documents.disciplines.add.mutate({ operationId: uuidv7(), id: disciplineId, name });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const file = (name: string, buffer: Buffer, mimeType = 'application/octet-stream') => ({
  name,
  mimeType,
  buffer,
});
const text = (name: string, body: string) => file(name, Buffer.from(body), 'text/plain');

/** Opens the discipline in Document Management, with the upload zone. */
async function openZone(at = setting.server.url): Promise<Page> {
  const path = `/user-management?tab=documents&building=${site.id}&folder=discipline_${disciplineId}`;
  const page = await setting.open(admin, path, { at });
  await live(page);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('button', { name: uploadMessages.chooseFiles }).waitFor();
  return page;
}

const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page
    .getByLabel(uploadMessages.chooseFiles, { exact: true })
    .and(page.locator('input'))
    .setInputFiles(files);
const named = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const sent = (page: Page, count: number) => page.getByText(uploadMessages.uploaded(count)).waitFor();

/** The documents that the server has in the discipline. */
async function stored() {
  const { data } = await client.documents.list.query({ buildingId: site.id, place: fire });
  return data.rows;
}
/** Downloads a document by a person's link. */
async function bytesOf(id: string, who: TestPerson = admin): Promise<Buffer> {
  const cookie = await signInAs(setting.server, who);
  const asked = createTestClient(setting.server.url, cookie);
  const { url } = await asked.documents.link.query({ id, as: 'download' });
  const answer = await fetch(new URL(url, setting.server.url), { headers: { cookie } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('uploading', () => {
  test('a file is stored as it is, told of, and shown in every window', async () => {
    const page = await openZone();
    const other = await setting.open(
      viewer,
      `/documents?building=${site.id}&folder=discipline_${disciplineId}`,
    );
    await live(other);
    const plan = randomBytes(300_000);
    await choose(page, file('Fire plan.dwg', plan));
    await sent(page, 1);
    await named(page, 'Fire plan.dwg').waitFor();
    await named(other, 'Fire plan.dwg').waitFor();
    const [document] = await stored();
    expect(document).toMatchObject({ fileName: 'Fire plan.dwg', fileSize: plan.length, sha256: hash(plan) });
    expect(hash(await bytesOf(document?.id ?? '', viewer))).toBe(hash(plan));
  });

  test('many files of any size, one of them empty, are told of once', async () => {
    const page = await openZone();
    const files = Array.from({ length: 12 }, (_, n) => text(`Record ${n + 1}.txt`, 'x'.repeat(n * 1_000)));
    await choose(page, ...files);
    await sent(page, 12);
    await expect.poll(async () => (await stored()).length).toBe(12);
    expect((await stored()).map(({ fileSize }) => fileSize).toSorted((a, b) => (a ?? 0) - (b ?? 0))[0]).toBe(
      0,
    );
  });

  test('of eight files one cannot be sent: seven are stored, one is named, and Retry stores it', async () => {
    const page = await openZone();
    let refusing = true;
    await page.route('**/api/uploadthing**', async (route) => {
      if (refusing && (route.request().postData() ?? '').includes('"Report 5.txt"')) {
        await route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"invalid"}' });
      } else await route.continue();
    });
    await choose(
      page,
      ...Array.from({ length: 8 }, (_, n) => text(`Report ${n + 1}.txt`, `report ${n + 1}`)),
    );
    await page.getByText(uploadMessages.someFailed(7, 8)).waitFor();
    expect((await stored()).map(({ fileName }) => fileName)).not.toContain('Report 5.txt');
    refusing = false;
    await page.getByRole('button', { name: uploadMessages.retry, exact: true }).first().click();
    await named(page, 'Report 5.txt').waitFor();
    expect(await stored()).toHaveLength(8);
  });

  test('a connection that breaks twice is gone on with where the server stands', async () => {
    const proxy = await startTcpProxy(() => Number(new URL(setting.server.url).port));
    try {
      const page = await openZone(`http://127.0.0.1:${proxy.port}`);
      const network = await page.context().newCDPSession(page);
      await network.send('Network.emulateNetworkConditions', { ...SLOW, offline: false });
      const plan = randomBytes(24 * MIB);
      const before = proxy.sent();
      const starts: number[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'PUT') return;
        starts.push(Number(/^bytes=(\d+)-$/.exec(request.headers()['range'] ?? '')?.[1]));
      });
      await choose(page, file('Survey.bin', plan));
      for (const part of [8 * MIB, 16 * MIB]) {
        await expect.poll(() => proxy.sent() - before, WITHIN).toBeGreaterThan(part);
        proxy.cut();
      }
      await sent(page, 1);
      const [document] = await stored();
      expect(document).toMatchObject({ fileName: 'Survey.bin', sha256: hash(plan) });
      // Chromium repeats a request by itself if a connection that it has used before breaks, so there may be two.
      expect(starts[0]).toBe(0);
      expect(starts.at(-1)).toBeGreaterThan(7 * MIB);
    } finally {
      await proxy.close();
    }
  });

  test('a name that is taken is asked about once a batch', async () => {
    const page = await openZone();
    await choose(page, text('Certificate.txt', 'of 2025'));
    await sent(page, 1);
    await choose(page, text('Certificate.txt', 'of 2026'), text('Letter.txt', 'new'));
    await page.getByRole('dialog').getByText(uploadMessages.sameName(1)).waitFor();
    await page.getByRole('dialog').getByText(uploadMessages.asVersion, { exact: true }).click();
    await expect
      .poll(async () => (await stored()).map(({ fileName, currentVersion }) => [fileName, currentVersion]))
      .toEqual([
        ['Certificate.txt', 2],
        ['Letter.txt', 1],
      ]);
    const [certificate] = await stored();
    expect((await bytesOf(certificate?.id ?? '')).toString()).toBe('of 2026');
  });
});

describe('reading a document', () => {
  test('shows its text, and saves it under its name', async () => {
    const page = await openZone();
    await choose(page, text('Instructions.txt', 'Close the valve before the test.'));
    await sent(page, 1);
    await named(page, 'Instructions.txt').click();
    const preview = page.getByRole('dialog');
    await preview.getByText('Close the valve before the test.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      preview.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Instructions.txt');
    expect(readFileSync(await download.path(), 'utf8')).toBe('Close the valve before the test.');
  });
});
