import type { Browser, Page } from 'playwright-core';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { launchBrowser } from '../../support/browser/browser.ts';
import { longestTask } from '../../support/browser/processor-time.ts';
import { createManyIssues } from '../../support/rows/many-issues.ts';
import { scrollBoard } from '../../support/screens/issues-screen.ts';
import { type Figure, interleaved, median, percentile, round } from '../figure.ts';
import type { Setting } from '../setting.ts';

const FEW = 100;
const MANY = 100_000;
const CALLS = 60;
/** Number of buildings for the measurement of the picker. */
const BUILDINGS = 2_000;
const OPENINGS = 3;
/** Five seconds, at the usual 60 frames per second. */
const FRAMES = 300;
const LONG_TASK_MS = 100;

/** The issues page of a person who sees every building, with few issues in the database and with many. */
export async function issuesPage(setting: Setting): Promise<Figure[]> {
  const few = await place(setting, FEW);
  const many = await place(setting, MANY);
  const figures: Figure[] = [];
  const inputs = {
    'list of open issues': ['issues.list', { filter: { statuses: ['open'] }, limit: 50 }],
    'list of all issues': ['issues.list', { filter: {}, limit: 50 }],
    'list of a common text': ['issues.list', { filter: { search: 'gutter' }, limit: 50 }],
    'list of a rare text': ['issues.list', { filter: { search: 'of the visit 99999' }, limit: 50 }],
    counts: ['issues.counts', { filter: {} }],
    'counts of this month': ['issues.counts', { filter: { range: 'month' } }],
  } as const;
  for (const [name, [procedure, input]] of Object.entries(inputs)) {
    const p95: Record<string, number[]> = { few: [], many: [] };
    const bytes: Record<string, number> = {};
    const times = async (at: typeof few, key: 'few' | 'many') => {
      const taken: number[] = [];
      for (let call = 0; call < CALLS; call += 1) {
        const start = performance.now();
        bytes[key] = await ask(at, procedure, input);
        taken.push(performance.now() - start);
      }
      p95[key]?.push(percentile(taken, 0.95));
      return median(taken);
    };
    await times(few, 'few');
    await times(many, 'many');
    const p50 = await interleaved(setting.rounds, {
      few: () => times(few, 'few'),
      many: () => times(many, 'many'),
    });
    figures.push(
      atMost20MsMore(name, median(p50.many), median(p50.few), {
        note: `p95 ${round(median(p95['many'] ?? []))} ms against ${round(median(p95['few'] ?? []))} ms; ${bytes['many']} B against ${bytes['few']} B`,
      }),
    );
  }
  const browser = await launchBrowser();
  setting.after(() => browser.close());
  const cards = await firstCards(setting, browser, few, many);
  figures.push(atMost20MsMore('time to the first card in Chromium', cards.many, cards.few, {}));
  figures.push(await scrolling(browser, few, many));
  figures.push(await picking(browser, await place(setting, 20, BUILDINGS)));
  return figures;
}

/** The goal is 1.2 × or 20 ms more, whichever is larger, expressed as a ratio. */
function atMost20MsMore(name: string, many: number, few: number, { note }: { note?: string }): Figure {
  return {
    name: `issues page, ${name}`,
    measured: `${round(many)} ms with ${MANY.toLocaleString('en')} issues`,
    reference: `${round(few)} ms with ${FEW}`,
    value: many / few,
    unit: '×',
    goal: { atMost: Number(Math.max(1.2, (few + 20) / few).toFixed(2)) },
    note,
  };
}

async function place(setting: Setting, issues: number, buildings = 200) {
  const database = await setting.database(`issues_${issues}`);
  const cookie = await withLogin(database.ownerUrl, async (sql) => {
    await createManyIssues(sql, { issues, buildings, now: new Date() });
    const [admin] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    return admin?.cookie ?? '';
  });
  return { server: await setting.lintel(database.appUrl), cookie };
}

/** @returns the size of the answer in bytes */
async function ask(
  { server, cookie }: Awaited<ReturnType<typeof place>>,
  procedure: string,
  input: unknown,
): Promise<number> {
  const url = `${server.url}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await fetch(url, { headers: { cookie, 'accept-encoding': 'identity' } });
  const body = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}`);
  return body.byteLength;
}

/**
 * Opens the board in a window of its own and waits for its first card.
 * @returns the page, and how long it took
 */
async function openBoard(
  browser: Browser,
  { server, cookie }: Awaited<ReturnType<typeof place>>,
): Promise<{ page: Page; tookMs: number }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const [name, value] = cookie.split('=');
  await context.addCookies([{ name: name ?? '', value: value ?? '', url: server.url }]);
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(`${server.url}/building-issues?building=all`, { waitUntil: 'commit' });
  await page.getByRole('article').first().waitFor({ timeout: 60_000 });
  return { page, tookMs: performance.now() - start };
}

async function firstCards(
  setting: Setting,
  browser: Browser,
  few: Awaited<ReturnType<typeof place>>,
  many: Awaited<ReturnType<typeof place>>,
): Promise<{ few: number; many: number }> {
  const open = async (at: typeof few) => {
    const taken: number[] = [];
    for (let n = 0; n < OPENINGS; n += 1) {
      const { page, tookMs } = await openBoard(browser, at);
      taken.push(tookMs);
      await page.context().close();
    }
    return median(taken);
  };
  await open(few);
  await open(many);
  const opened = await interleaved(setting.rounds, { few: () => open(few), many: () => open(many) });
  return { few: median(opened.few), many: median(opened.many) };
}

/** The longest task of the page while the whole board is scrolled. */
async function scrolling(
  browser: Browser,
  few: Awaited<ReturnType<typeof place>>,
  many: Awaited<ReturnType<typeof place>>,
): Promise<Figure> {
  const longestAt = async (at: typeof few) => {
    const { page } = await openBoard(browser, at);
    let most = 0;
    const longest = await longestTask(browser, page, async () => {
      ({ most } = await scrollBoard(page, FRAMES));
    });
    await page.context().close();
    return { longest, most };
  };
  const reference = await longestAt(few);
  const { longest, most } = await longestAt(many);
  return {
    name: 'issues page, longest task while the board is scrolled',
    measured: `${round(longest)} ms of processor time with ${MANY.toLocaleString('en')} issues`,
    reference: `${round(reference.longest)} ms with ${FEW}`,
    value: longest,
    unit: 'ms',
    goal: { atMost: LONG_TASK_MS },
    note: `at most ${most} cards of a column on the page`,
  };
}

/** The longest task of the page while the picker of buildings is opened, scrolled and typed into. */
async function picking(browser: Browser, at: Awaited<ReturnType<typeof place>>): Promise<Figure> {
  const { page } = await openBoard(browser, at);
  await page.goto(`${at.server.url}/dashboard`);
  await page.getByRole('button', { name: 'Report Issue' }).click();
  const open = async () => {
    await page.getByRole('button', { name: /Choose a building/ }).click();
    await page.getByRole('option').first().waitFor();
  };
  // Opened once before, so that only the picker is measured, and not the loading of its code and list.
  await open();
  await page.keyboard.press('Escape');
  const longest = await longestTask(browser, page, async () => {
    await open();
    for (let step = 0; step < 30; step += 1) {
      await page.getByRole('listbox').evaluate((list) => {
        list.scrollTop += 1_500;
      });
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.getByRole('combobox').pressSequentially('castle 1700');
    await page.getByRole('option', { name: 'Castle House 1700' }).waitFor();
  });
  await page.context().close();
  return {
    name: 'picker of buildings, longest task while it is opened, scrolled and typed into',
    measured: `${round(longest)} ms of processor time`,
    reference: `${BUILDINGS.toLocaleString('en')} buildings`,
    value: longest,
    unit: 'ms',
    goal: { atMost: LONG_TASK_MS },
  };
}
