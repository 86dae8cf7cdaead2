import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_DISPLAY_SETTINGS } from '#shared/features/displays/display-settings.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import type { WallIssue } from '#shared/features/displays/wall.ts';
import { median } from '#tests/bench/figure.ts';
import { sharedBrowser } from '#tests/support/browser/browser.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { seededRandom } from '#tests/support/random.ts';
import { createDisplay, type TestDisplay } from '#tests/support/rows/displays.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { wallAnswerOf } from '#tests/support/rows/wall-answer.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const DISPLAYS = 50;
const DAYS = 14;
const STEP_MS = 5 * 60_000;
const EVENTS_A_STEP = 8;
const PLACES = 60;
/** The median heap of the second half of the days may be at most this multiple of that of the first half. */
const GROWTH = 1.1;
/** Timeout: fifty pages are opened one after the other, which takes a slow machine a second each. */
const RESTARTS_TAKE_MS = 300_000;
/** Timeout: the days are four thousand steps of the page's clock, tens of milliseconds each on a slow machine. */
const DAYS_TAKE_MS = 600_000;

let database: TestDatabase;
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await server.stop();
  await database.drop();
});

async function newPage(display: TestDisplay | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' });
  context.setDefaultTimeout(60_000);
  if (display !== undefined) {
    const [name = '', value = ''] = display.cookie.split('=', 2);
    await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/trpc' }]);
  }
  return context.newPage();
}

/** Polls five times a second: the driver's default wait polls at every frame, and fifty of them slow the pages down. */
const showsRow = (page: Page, title: string) =>
  page.waitForFunction(
    (text) => [...document.querySelectorAll('.row')].some((row) => row.textContent?.includes(text)),
    title,
    { polling: 200 },
  );

test(
  `${DISPLAYS} displays are live again after a restart of the server, and show nothing else meanwhile`,
  async () => {
    const admin = await createPerson(server.services, { role: 'admin' });
    const building = await createBuilding(server.services, { name: 'Harbour House' });
    await reportIssues(server, admin, building, [{ title: 'Boiler 1 lockout', priority: 'high' }]);
    const screens: Page[] = [];
    const faults: string[] = [];
    for (let n = 0; n < DISPLAYS; n += 1) {
      const page = await newPage(await createDisplay(server.services, { name: `Display ${n}` }));
      page.on('pageerror', ({ message }) => faults.push(message));
      await page.goto('/wall');
      await page.getByText('Boiler 1 lockout').waitFor();
      page.on('load', () => faults.push('loaded anew'));
      screens.push(page);
    }
    const port = Number(new URL(server.url).port);
    await server.stop();
    await Promise.all(screens.map((page) => page.getByText('Boiler 1 lockout').waitFor()));
    server = await startTestServer(database, { env: { port } });
    const title = 'After the restart';
    await reportIssues(server, admin, building, [{ title, priority: 'critical' }]);
    await Promise.all(screens.map((page) => showsRow(page, title)));
    expect(faults).toEqual([]);
    await Promise.all(screens.map((page) => page.context().close()));
  },
  RESTARTS_TAKE_MS,
);

const issue = (id: number, at: string, version: number): WallIssue => ({
  id: `i${id}`,
  buildingId: `b${id % PLACES}`,
  title: `Issue ${id}`,
  status: 'open',
  priority: id % 3 === 0 ? 'critical' : 'high',
  createdAt: at,
  respondedAt: id % 2 === 0 ? at : null,
  respondDueAt: null,
  resolvedAt: null,
  resolveDueAt: at,
  pauseReason: null,
  pausedAt: null,
  acknowledgedAt: null,
  version,
});

test(
  `after ${DAYS} days of changes the page holds no more memory than in its first week`,
  async () => {
    const page = await newPage(undefined);
    const start = Date.parse('2026-11-02T08:00:00.000Z');
    const random = seededRandom('fourteen days');
    let now = start;
    const at = () => new Date(now).toISOString();
    const pulses = Array.from({ length: PLACES }, (_, n) => ({
      id: `b${n}`,
      buildingId: `b${n}`,
      openIssues: { low: 0, medium: 1, high: 1, critical: 0 },
      overdueIssues: 0,
      checks: { day: '2026-11-02', due: 1, done: n % 4, missed: n % 7 === 0 ? 1 : 0 },
      tasks: { compliant: n, nonCompliant: 1, overdue: 0, dueThisWeek: 1 },
      version: 1,
    }));
    const wall = (): Wall => ({
      at: at(),
      timeZone: 'Europe/London',
      organisation: 'Northgate Facilities',
      display: {
        name: 'Reception',
        view: 'manager',
        settings: DEFAULT_DISPLAY_SETTINGS,
        paused: false,
        reloadAskedAt: null,
        version: 1,
      },
      places: pulses.map(({ id }) => ({ id, name: `Building ${id}`, archivedAt: null, version: 1 })),
      pulses,
      issues: { rows: [], critical: 0, high: 0, unanswered: 0, newest: null },
    });
    const answer = (data: unknown) => ({ json: { result: { data } } });
    await page.clock.install({ time: start });
    await page.route('**/trpc/displays.wall', (route) =>
      route.fulfill(answer({ asOf: 'e.0', data: wallAnswerOf(wall()) })),
    );
    await page.route('**/trpc/displays.beat', (route) => route.fulfill(answer({ version: 1 })));
    // Prevents reloads, which would hide a leak.
    await page.route('**/readyz', (route) => route.fulfill({ status: 503 }));
    let send: ((frame: object) => void) | undefined;
    let g = 0;
    await page.routeWebSocket(/\/trpc/, (socket) => {
      socket.onMessage(() => {
        send = (frame) => {
          const data = { id: `e.${g}.00000000`, data: { prev: 0, head: g, at: at(), ...frame } };
          socket.send(JSON.stringify({ id: 1, result: { type: 'data', data } }));
        };
        send({ events: [] });
      });
    });
    await page.goto('/wall');
    await page.getByText('Nothing critical or high is open').waitFor();
    const session = await page.context().newCDPSession(page);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize;
    };
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);

    const versions = new Map<number, number>();
    const sizes: number[] = [];
    for (let step = 1; now < start + DAYS * 86_400_000; step += 1) {
      const events = Array.from({ length: EVENTS_A_STEP }, () => {
        g += 1;
        const id = random.below(300);
        const version = (versions.get(id) ?? 0) + 1;
        versions.set(id, version);
        const row = issue(id, at(), version);
        if (random.chance(0.85)) row.status = 'resolved';
        return { g, at: at(), entity: 'issue', entityId: row.id, op: 'put', version, row };
      });
      send?.({ events });
      await page.clock.fastForward(STEP_MS);
      now += STEP_MS;
      if ((step * STEP_MS) % 86_400_000 === 0) sizes.push(await heap());
    }
    send?.({ events: [] });
    await page.clock.fastForward(1_000);
    console.log(
      `heap after each day, in kB: ${sizes.map((size) => Math.round(size / 1_000)).join(' ')}; ${g} events`,
    );
    expect(sizes).toHaveLength(DAYS);
    // Single days differ by a tenth, depending on the code that the engine has compiled; a leak makes the second week larger.
    expect(median(sizes.slice(DAYS / 2))).toBeLessThan(median(sizes.slice(0, DAYS / 2)) * GROWTH);
    expect(await nodes()).toBeLessThan(400);
    await page.context().close();
  },
  DAYS_TAKE_MS,
);
