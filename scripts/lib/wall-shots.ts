// Pictures of a display on a wall: on each panel, in each state of the display.
import { join } from 'node:path';
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core';
import { pairScreen } from '#scripts/lib/pair-screen.ts';
import { MINUTE_MS } from '#shared/dates.ts';
import type { DisplaySettings } from '#shared/features/displays/display-settings.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import { codeIn } from '#shared/features/displays/displays.vocabulary.ts';
import type { WallIssue } from '#shared/features/displays/wall.ts';
import { type WallAnswer, wallOf } from '#shared/features/displays/wall-answer.ts';
import { uuidv7 } from '#shared/ids.ts';
import { wallAnswerOf } from '#tests/support/rows/wall-answer.ts';

const PANELS = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1080, height: 1920 },
] as const;
/** Long, because the largest panel is drawn slowly without a graphics card. */
const PATIENCE_MS = 90_000;
type Panel = (typeof PANELS)[number];

type State = {
  name: string;
  /** The page of the rotation; if absent, the first page of the screen Now. */
  hash?: string;
  /** Changes the server's answer, for states that the sample data does not have. */
  change?: (wall: Wall) => void;
  /** How long the server has been silent, in ms. */
  silentMs?: number;
  act?: (page: Page) => Promise<void>;
};

const LONG =
  'Überprüfung der Notstromversorgung im Untergeschoss, Raum 12, nach dem Ausfall der Hauptsicherung 🔥 ';
const UNBROKEN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);
const RIGHT_TO_LEFT = 'مبنى الميناء - الطابق الثالث، غرفة المولد';

/** Changes the answer so that it has this number of buildings. */
function withBuildings(count: number) {
  return (wall: Wall): void => {
    const [places, pulses] = [wall.places, wall.pulses];
    wall.places = Array.from({ length: count }, (_, n) => {
      const { name = '' } = places[n % places.length] ?? {};
      return { id: `b${n}`, name: count === 1 ? name : `${name} ${n + 1}`, archivedAt: null, version: 1 };
    });
    wall.pulses = wall.places.flatMap(({ id }, n) => {
      const pulse = pulses[n % pulses.length];
      return pulse === undefined ? [] : [{ ...pulse, id, buildingId: id }];
    });
    wall.issues.rows = wall.issues.rows.map((row, n) => ({ ...row, buildingId: `b${n % count}` }));
  };
}

function withCritical(count: number, total = count) {
  return (wall: Wall): void => {
    const [sample] = wall.issues.rows;
    if (sample === undefined) return;
    const rows: WallIssue[] = Array.from({ length: count }, (_, n) => ({
      ...sample,
      id: uuidv7(),
      priority: 'critical',
      title:
        ['Lift 2 stuck between floors', 'Gas smell in the kitchen', 'Sprinkler valve tamper'][n % 3] ?? '',
      respondedAt: null,
      acknowledgedAt: null,
      createdAt: new Date(Date.parse(wall.at) - (n + 1) * MINUTE_MS).toISOString(),
    }));
    wall.issues = { rows, critical: total, high: 0, unanswered: total, newest: null };
  };
}

function withSettings(settings: Partial<DisplaySettings>) {
  return (wall: Wall): void => {
    Object.assign(wall.display.settings, settings);
  };
}

const NO_ISSUES: Wall['issues'] = { rows: [], critical: 0, high: 0, unanswered: 0, newest: null };

const STATES: readonly State[] = [
  { name: 'wall-now' },
  { name: 'wall-today', hash: '#today/0' },
  { name: 'wall-week', hash: '#week/0' },
  { name: 'wall-critical', change: withCritical(3) },
  { name: 'wall-critical-thousands', change: withCritical(200, 3_412) },
  {
    name: 'wall-acknowledged',
    change: (wall) => {
      withCritical(1)(wall);
      for (const row of wall.issues.rows) {
        row.acknowledgedAt = wall.at;
        row.acknowledgedByName = 'Mona Manager';
      }
    },
  },
  {
    name: 'wall-public',
    change: (wall) => {
      wall.display.view = 'public';
      for (const row of wall.issues.rows) {
        delete row.title;
        delete row.acknowledgedByName;
      }
    },
  },
  {
    name: 'wall-no-issues',
    change: (wall) => {
      wall.issues = NO_ISSUES;
      for (const { openIssues } of wall.pulses) openIssues.critical = openIssues.high = 0;
    },
  },
  {
    name: 'wall-no-buildings',
    change: (wall) => {
      wall.places = [];
      wall.pulses = [];
      wall.issues = NO_ISSUES;
    },
  },
  { name: 'wall-one-building', hash: '#today/0', change: withBuildings(1) },
  { name: 'wall-many-buildings', hash: '#today/1', change: withBuildings(240) },
  { name: 'wall-many-buildings-week', hash: '#week/0', change: withBuildings(2_000) },
  {
    name: 'wall-long-names',
    change: (wall) => {
      wall.organisation = UNBROKEN;
      const names = [LONG.repeat(2), UNBROKEN, RIGHT_TO_LEFT];
      for (const [n, place] of wall.places.entries()) place.name = names[n % 3] ?? '';
      for (const [n, row] of wall.issues.rows.entries()) row.title = names[(n + 1) % 3] ?? '';
      for (const { openIssues, checks } of wall.pulses) {
        openIssues.critical += 1_234;
        checks.missed += 1_300;
      }
    },
  },
  {
    name: 'wall-long-names-today',
    hash: '#today/0',
    change: (wall) => {
      const names = [LONG.repeat(2), UNBROKEN, RIGHT_TO_LEFT];
      for (const [n, place] of wall.places.entries()) place.name = names[n % 3] ?? '';
    },
  },
  { name: 'wall-turned', change: withSettings({ turn: 90 }) },
  { name: 'wall-dim', change: withSettings({ dim: { from: 0, to: 23 } }) },
  { name: 'wall-overscan', change: withSettings({ overscan: 5 }) },
  { name: 'wall-near', change: withSettings({ distance: 3 }) },
  { name: 'wall-far', change: withSettings({ distance: 9 }) },
  { name: 'wall-paused', act: (page) => page.keyboard.press('Space') },
  { name: 'wall-reconnecting', silentMs: 15_000 },
  { name: 'wall-stale', silentMs: 4 * MINUTE_MS },
  { name: 'wall-blank', silentMs: 25 * 60 * MINUTE_MS },
];

/**
 * Takes the requested pictures: of the pairing code, and of a display that is paired with it.
 * @param desk a window's context in which an administrator is signed in
 */
export async function takeWalls(
  browser: Browser,
  desk: BrowserContext,
  { url, out, isAsked }: { url: string; out: string; isAsked: (name: string, panel: string) => boolean },
): Promise<number> {
  let taken = 0;
  let cookies: Cookie[] = [];
  for (const panel of PANELS) {
    const suffix = `wall-${panel.width}x${panel.height}`;
    const fileOf = (name: string) => join(out, `${name}-${panel.width}x${panel.height}.png`);
    const states = STATES.filter(({ name }) => isAsked(name, suffix));
    const isCodeAsked = isAsked('wall-code', suffix);
    if (states.length === 0 && !isCodeAsked) continue;
    const context = await browser.newContext({ baseURL: url, viewport: panel });
    const page = await context.newPage();
    await page.goto('/wall');
    const code = (await page.locator('.code').textContent()) ?? '';
    await page.evaluate(() => document.fonts.ready);
    if (isCodeAsked) {
      await page.screenshot({ path: fileOf('wall-code') });
      taken += 1;
    }
    if (cookies.length === 0) {
      await pairScreen({ request: desk.request, origin: url }, codeIn(code), 'Reception');
      await page.locator('.top.is-live').waitFor();
      cookies = await context.cookies();
    }
    await context.close();
    for (const state of states) {
      await take(browser, { url, panel, cookies, state, path: fileOf(state.name) });
      taken += 1;
    }
  }
  return taken;
}

async function take(
  browser: Browser,
  shot: { url: string; panel: Panel; cookies: Cookie[]; state: State; path: string },
): Promise<void> {
  const { url, panel, cookies, state, path } = shot;
  const context = await browser.newContext({ baseURL: url, viewport: panel, serviceWorkers: 'block' });
  await context.addCookies(cookies);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  let isSilent = false;
  await page.clock.install();
  await page.route('**/trpc/displays.wall', async (route) => {
    if (isSilent) return route.abort();
    const answer = await (await route.fetch()).json();
    const snapshot: { data: WallAnswer } = answer.result.data;
    const wall = wallOf(snapshot.data);
    // Paused, so that the rotation stays on the page of the picture.
    wall.display.paused = state.act === undefined && state.name !== 'wall-now';
    state.change?.(wall);
    snapshot.data = wallAnswerOf(wall);
    await route.fulfill({ json: answer });
  });
  // A silent display must not find the server ready, because it would then reload itself.
  await page.route('**/readyz', (route) => (isSilent ? route.abort() : route.continue()));
  await page.routeWebSocket(/\/trpc/, (socket) => {
    if (isSilent) return;
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isSilent) socket.send(message);
    });
  });
  await page.goto(`/wall${state.hash ?? ''}`);
  await page.locator('.top.is-live').waitFor();
  await page.evaluate(() => document.fonts.ready);
  await state.act?.(page);
  if (state.silentMs !== undefined) {
    isSilent = true;
    await page.clock.fastForward(state.silentMs);
    await page.locator('.top.is-reconnecting, .top.is-stale, .middle').waitFor();
  } else {
    await page.clock.runFor(1_500);
  }
  // The weeks of the year are fetched by a separate request.
  if (state.hash?.startsWith('#week') === true) await page.locator('.weeks > i').first().waitFor();
  await page.screenshot({ path });
  await context.close();
}
