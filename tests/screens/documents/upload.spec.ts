import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { documents } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { startTcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import {
  chooseFiles,
  chooseLargeFile,
  item,
  openZone,
  textFile,
  uploaded,
} from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite, type DocumentsSite } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { blankPdf, pdfWithPassword, pdfWithTick } from '#tests/support/uploads/pdfs.ts';

const MIB = 1024 * 1024;
/** A slow network (bytes per second), so that an upload can be cut in the middle. */
const SLOW = { latency: 0, downloadThroughput: -1, uploadThroughput: 6 * MIB };

const setting = setUpWebSetting();
let of: DocumentsSite;

beforeEach(async () => {
  of = await createDocumentsSite(setting);
});

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

/** Opens the discipline in Document Management, with the upload zone. */
async function manage(at = setting.server.url): Promise<Page> {
  const page = await setting.open(of.admin, of.managing(of.fire), { at });
  await live(page);
  await openZone(page);
  return page;
}

const named = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
/** Drops files and folders of the disk on a part of the page, as a person does from the desktop. */
async function drop(page: Page, on: Locator, paths: string[]): Promise<void> {
  const box = await on.boundingBox();
  if (box === null) throw new Error('nothing to drop on');
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at });
  }
}
/** The documents that the server has in the discipline. */
const stored = () => of.stored();
/** Downloads a document by a person's link. */
async function bytesOf(id: string, who: TestPerson = of.admin): Promise<Buffer> {
  const cookie = await signInAs(setting.server, who);
  const asked = createTestClient(setting.server.url, cookie);
  const { url } = await asked.documents.link.query({ id, as: 'download' });
  const answer = await fetch(new URL(url, setting.server.url), { headers: { cookie } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('uploading', () => {
  test('a PDF shows its first page as its picture; a blank or locked one shows the icon of its kind', async () => {
    const page = await manage();
    const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
    await chooseFiles(
      page,
      pdf('ticked.pdf', pdfWithTick()),
      pdf('blank.pdf', blankPdf()),
      pdf('locked.pdf', pdfWithPassword('Secret', 'open')),
    );
    await uploaded(page, 3);
    const picture = item(page, 'ticked.pdf').locator('img');
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalHeight))
      .toBeGreaterThan(100);
    expect(await item(page, 'blank.pdf').locator('img').count()).toBe(0);
    expect(await item(page, 'locked.pdf').locator('img').count()).toBe(0);
    // All uploads are done, so their list is folded.
    const tray = page.getByRole('region', { name: uploadMessages.trayTitle }).last();
    await tray.getByRole('button', { name: uploadMessages.show }).waitFor();
  });

  test('a file is stored as it is, told of, and shown in every window', async () => {
    const page = await manage();
    const other = await setting.open(of.viewer, of.reading(of.fire));
    await live(other);
    const plan = randomBytes(300_000);
    await chooseFiles(page, file('Fire plan.dwg', plan));
    await uploaded(page, 1);
    await named(page, 'Fire plan.dwg').waitFor();
    await named(other, 'Fire plan.dwg').waitFor();
    const [document] = await stored();
    expect(document).toMatchObject({ fileName: 'Fire plan.dwg', fileSize: plan.length, sha256: hash(plan) });
    expect(hash(await bytesOf(document?.id ?? '', of.viewer))).toBe(hash(plan));
  });

  test('of eight files one cannot be sent: seven are stored, one is named, and Retry stores it', async () => {
    const page = await manage();
    let refusing = true;
    await page.route('**/api/uploadthing**', async (route) => {
      if (refusing && (route.request().postData() ?? '').includes('"Report 5.txt"')) {
        await route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"invalid"}' });
      } else await route.continue();
    });
    await chooseFiles(
      page,
      ...Array.from({ length: 8 }, (_, n) => textFile(`Report ${n + 1}.txt`, `report ${n + 1}`)),
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
      const page = await manage(`http://127.0.0.1:${proxy.port}`);
      const network = await page.context().newCDPSession(page);
      await network.send('Network.emulateNetworkConditions', { ...SLOW, offline: false });
      const plan = randomBytes(24 * MIB);
      const before = proxy.sent();
      const starts: number[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'PUT') return;
        starts.push(Number(/^bytes=(\d+)-$/.exec(request.headers()['range'] ?? '')?.[1]));
      });
      await chooseLargeFile(page, 'Survey.bin', plan);
      for (const part of [8 * MIB, 16 * MIB]) {
        await expect.poll(() => proxy.sent() - before).toBeGreaterThan(part);
        proxy.cut();
      }
      await uploaded(page, 1);
      const [document] = await stored();
      expect(document).toMatchObject({ fileName: 'Survey.bin', sha256: hash(plan) });
      // Chromium repeats a request by itself if a connection that it has used before breaks, so there may be two.
      expect(starts[0]).toBe(0);
      expect(starts.at(-1)).toBeGreaterThan(7 * MIB);
    } finally {
      await proxy.close();
    }
  });

  test('cancelled in the middle it leaves nothing on the server', async () => {
    const page = await manage();
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', { ...SLOW, offline: false });
    await chooseLargeFile(page, 'Survey.bin', randomBytes(24 * MIB));
    const { db, stores } = setting.server.services;
    const rows = () => db.select().from(storedFiles).where(eq(storedFiles.uploadedBy, of.admin.id));
    const received = async () => {
      const [row] = await rows();
      return row === undefined ? 0 : stores.disk.arrivals.received(row);
    };
    await expect.poll(received).toBeGreaterThan(MIB);
    const [row] = await rows();
    // One sentence shows the progress, and no list covers the documents. The tray may render after the first bytes were sent.
    await page.getByText('Uploading 1 of 1').waitFor();
    expect(await page.getByText(/\d of \d/).count()).toBe(1);
    expect(await page.getByRole('listitem').filter({ hasText: 'Survey.bin' }).count()).toBe(0);
    await page.getByRole('button', { name: uploadMessages.show }).click();
    await page.getByRole('button', { name: uploadMessages.cancel('Survey.bin') }).click();
    await expect.poll(rows).toEqual([]);
    await expect.poll(() => row && stores.disk.arrivals.received(row)).toBe(0);
    expect(await stored()).toEqual([]);
  });

  test('folders that are dropped keep their structure, with the empty ones; what desktops add is left out', async () => {
    const desktop = await mkdtemp(join(tmpdir(), 'lintel-desktop-'));
    onTestFinished(() => rm(desktop, { recursive: true, force: true }));
    await mkdir(join(desktop, 'Handover', 'Boilers', 'Manuals'), { recursive: true });
    await mkdir(join(desktop, 'Handover', 'Empty'));
    // More than the hundred entries that the browser gives at a time.
    const sheets = Array.from({ length: 101 }, (_, n) => `Sheet ${n + 1}.txt`);
    for (const name of sheets) await writeFile(join(desktop, 'Handover', 'Boilers', 'Manuals', name), name);
    await writeFile(join(desktop, 'Handover', 'Index.txt'), 'of all');
    await writeFile(join(desktop, 'Handover', '.DS_Store'), 'of a desktop');
    await writeFile(join(desktop, 'Loose.txt'), 'beside them');

    const page = await manage();
    await drop(page, page.getByRole('region', { name: uploadMessages.trayTitle }), [
      join(desktop, 'Handover'),
      join(desktop, 'Loose.txt'),
    ]);
    // A hundred uploads, one after the other.
    await page.getByText(uploadMessages.uploaded(103)).waitFor({ timeout: 5 * PATIENCE.timeout });
    const { db } = setting.server.services;
    const rows = await db.select().from(documents).where(eq(documents.buildingId, of.site.id));
    const nameOf = new Map(rows.map(({ id, fileName }) => [id, fileName]));
    const paths = rows
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ folderPath, fileName }) => [...folderPath.map((id) => nameOf.get(id)), fileName].join('/'));
    expect(paths).toEqual(
      expect.arrayContaining([
        'Handover/Empty',
        'Handover/Index.txt',
        'Handover/Boilers/Manuals/Sheet 101.txt',
        'Loose.txt',
      ]),
    );
    expect(paths.filter((path) => path.startsWith('Handover/Boilers/Manuals/'))).toHaveLength(101);
    expect(paths.filter((path) => path.includes('.DS_Store'))).toEqual([]);
  }, 180_000);

  test('a name that is taken is asked about once a batch', async () => {
    const page = await manage();
    await chooseFiles(page, textFile('Certificate.txt', 'of 2025'));
    await uploaded(page, 1);
    await chooseFiles(page, textFile('Certificate.txt', 'of 2026'), textFile('Letter.txt', 'new'));
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
