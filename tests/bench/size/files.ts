import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createPeople } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { openZone as showZone } from '../../support/screens/documents-screen.ts';
import { type Figure, interleaved, median, round } from '../figure.ts';
import { residentMiB } from '../proc-stat.ts';
import { type BuiltServer, startBuilt } from '../processes/built-server.ts';
import type { PlainUploadHandlers } from '../processes/plain-upload.ts';
import type { Setting } from '../setting.ts';

const MIB = 1024 * 1024;
const LARGE_MIB = 2_048;
const SMALL_FILES = 500;
const SMALL_BYTES = 20_000;
const RATE_AT_LEAST = 0.6;
const MEMORY_AT_MOST_MIB = 200;
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 600_000;

/** Uploads by the pages themselves in Chromium, beside a plain PUT of the same file by curl to the same disk. */
export async function files(setting: Setting): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-bench-files-'));
  setting.after(() => rm(folder, { recursive: true, force: true }));
  const large = join(folder, 'large.bin');
  setting.log(`a file of ${LARGE_MIB} MiB`);
  await writeLarge(large);
  const small = await writeSmall(join(folder, 'small'));

  const database = await setting.database('files');
  const { buildingId, cookie } = await withLogin(database.ownerUrl, async (sql) => {
    const [building] = await createBuildings(sql, 1);
    const [person] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    return { buildingId: building?.id ?? '', cookie: person?.cookie ?? '' };
  });
  const built = await startBuilt(setting, database);
  const plain = startChild<PlainUploadHandlers>(new URL('../processes/plain-upload.ts', import.meta.url));
  setting.after(() => plain.kill());
  const plainUrl = await plain.ask('listen', join(folder, 'plain.bin'));
  const page = await openPage(setting, built, { buildingId, cookie });

  // The first upload loads the library that presigns.
  await uploadAll(page, small.slice(0, 1));
  const idle = residentMiB(built.pid);
  let most = idle;
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB(built.pid));
  }, LOOK_EVERY_MS);
  const perSecond = async (send: () => Promise<void>) => {
    const start = performance.now();
    await send();
    return (LARGE_MIB / (performance.now() - start)) * 1_000;
  };
  const rates = await interleaved(setting.rounds, {
    page: async () => {
      const rate = await perSecond(() => uploadAll(page, [large]));
      setting.log(`the page: ${round(rate)} MiB/s, ${round(most)} MiB resident, ${round(idle)} before`);
      return rate;
    },
    plain: async () => {
      const rate = await perSecond(() => putPlainly(plainUrl, large));
      setting.log(`a plain PUT: ${round(rate)} MiB/s`);
      return rate;
    },
  });
  clearInterval(looking);
  const [ours, theirs] = [median(rates.page), median(rates.plain)];

  const start = performance.now();
  await uploadAll(page, small);
  const smallRate = SMALL_FILES / ((performance.now() - start) / 1_000);
  return [
    {
      name: 'files, 2 GiB through the pages',
      measured: `${round(ours)} MiB/s in Chromium, stored with its hash`,
      reference: `${round(theirs)} MiB/s by a plain PUT of curl to the same disk`,
      value: ours / theirs,
      unit: '×',
      goal: { atLeast: RATE_AT_LEAST },
    },
    {
      name: 'files, memory for 2 GiB',
      measured: `${round(most)} MiB resident at most`,
      reference: `${round(idle)} MiB before`,
      value: most - idle,
      unit: 'MiB more',
      goal: { atMost: MEMORY_AT_MOST_MIB },
    },
    {
      name: 'files, 500 small ones',
      measured: `${SMALL_FILES} of ${SMALL_BYTES / 1_000} kB, four at a time`,
      reference: '–',
      value: smallRate,
      unit: 'files/s',
    },
  ];
}

/** Writes bytes that no layer between here and the disk can compress. */
async function writeLarge(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    const piece = Buffer.alloc(16 * MIB);
    for (let n = 0; n < LARGE_MIB / 16; n += 1) {
      for (let at = 0; at < piece.byteLength; at += 4)
        piece.writeUInt32LE((at * 2_654_435_761 + n) >>> 0, at);
      await file.write(piece);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function writeSmall(folder: string): Promise<string[]> {
  await mkdir(folder);
  const paths = Array.from({ length: SMALL_FILES }, (_, n) => join(folder, `Certificate ${n}.txt`));
  for (const [n, path] of paths.entries())
    await writeFile(path, `${n} `.repeat(SMALL_BYTES).slice(0, SMALL_BYTES));
  return paths;
}

/** Opens Document Management with the upload zone of a new folder. */
async function openPage(
  setting: Setting,
  { url }: BuiltServer,
  { buildingId, cookie }: { buildingId: string; cookie: string },
): Promise<Page> {
  const browser = await launchBrowser();
  setting.after(() => browser.close());
  const context = await browser.newContext();
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const disciplineId = uuidv7();
  const client = createTestClient(url, cookie);
  await client.documents.disciplines.add.mutate({ operationId: uuidv7(), id: disciplineId, name: 'Plans' });
  const page = await context.newPage();
  await page.goto(
    `${url}/user-management?tab=documents&building=${buildingId}&folder=discipline_${disciplineId}`,
  );
  await showZone(page);
  return page;
}

/** Chooses files in the page, and waits until it shows that all are uploaded. Files of the same name are both kept. */
async function uploadAll(page: Page, paths: string[]): Promise<void> {
  const tray = page.getByRole('region', { name: uploadMessages.trayTitle });
  await page
    .getByLabel(uploadMessages.chooseFiles, { exact: true })
    .and(page.locator('input'))
    .setInputFiles(paths);
  const done = tray.getByRole('status').filter({ hasText: uploadMessages.allDone(paths.length) });
  const question = page.getByRole('dialog').getByText(uploadMessages.keepBoth, { exact: true });
  await done.or(question).first().waitFor({ timeout: PATIENCE_MS });
  if (await question.isVisible()) {
    await question.click();
    await done.waitFor({ timeout: PATIENCE_MS });
  }
  await tray.getByRole('button', { name: uploadMessages.clear, exact: true }).click();
}

/** Uploads a file by curl, the plainest client. */
function putPlainly(url: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const curl = spawn('curl', ['--silent', '--show-error', '--fail', '--upload-file', path, url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    curl.once('error', reject);
    curl.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`curl ended with ${code}`))));
  });
}
