import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerHandlers } from '#tests/chaos/server-process.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import {
  card,
  column,
  issueLink,
  live,
  openDetails,
  reportByHand,
} from '#tests/support/screens/issues-screen.ts';
import { type Child, startChild } from '#tests/support/server/child.ts';

/** A page that has lost its server may wait for 45 s before its next try (`web/live/stream/stream.ts`). */
const RECONNECTED = { timeout: 45_000 + PATIENCE.timeout };

const setting = setUpWebSetting();
let building: TestBuilding;
let manager: TestPerson;
let viewer: TestPerson;

/** Another server, a process of its own on the same database, behind a network that can be broken. */
let child: Child<ServerHandlers> | undefined;
let childPort: number | undefined;
let proxy: TcpProxy;

beforeAll(async () => {
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id];
  manager = await createPerson(services, { role: 'manager', buildings, firstName: 'Maya', lastName: 'Osei' });
  viewer = await createPerson(services, { role: 'viewer', buildings, firstName: 'Vera', lastName: 'Lind' });
  proxy = await startTcpProxy(() => childPort);
  await startChildServer();
});
afterAll(async () => {
  await proxy.close();
  await child?.kill();
});

async function startChildServer(): Promise<void> {
  child = startChild<ServerHandlers>(new URL('../../chaos/server-process.ts', import.meta.url));
  const { dataDir } = setting.server.services.env;
  const url = await child.ask('listen', { databaseUrl: setting.database.appUrl, dataDir, bug: undefined });
  childPort = Number(new URL(url).port);
}

/** A window of each person: on this process's server, and on the other process's server behind the network. */
async function bothWindows(): Promise<[ours: Page, theirs: Page]> {
  const far = `http://127.0.0.1:${proxy.port}`;
  const windows = await Promise.all([
    setting.open(manager, '/building-issues'),
    setting.open(viewer, '/building-issues', { at: far }),
  ]);
  await Promise.all(windows.map(live));
  for (const page of windows) await page.evaluate(() => Object.assign(window, { neverReloaded: true }));
  return windows;
}

const reloaded = (page: Page) => page.evaluate(() => Reflect.get(window, 'neverReloaded') !== true);

describe('a window on each of two servers of one database', () => {
  test('a report, an edit, a drag and a comment of one are seen in the other, and the card glows', async () => {
    const [ours, theirs] = await bothWindows();
    await reportByHand(ours, 'Harbour House', 'Lift 2 stuck');
    await ours.getByText('Issue HAR-0001 created successfully').waitFor();
    await card(theirs, 'Open', 'Lift 2 stuck').waitFor();

    const details = await openDetails(ours, 'Lift 2 stuck');
    await details.getByLabel('Title').fill('Lift 2 stuck between floors');
    await details.getByLabel('Priority').selectOption('Critical');
    await details.getByRole('button', { name: 'Update Issue' }).click();
    await ours.getByText('Issue updated successfully').waitFor();
    const seen = card(theirs, 'Open', 'Lift 2 stuck between floors');
    await seen.getByText('Critical').waitFor();
    expect(await seen.getByText('HAR-0001').count()).toBe(1);

    await card(ours, 'Open', 'Lift 2').dragTo(column(ours, 'In Progress'));
    const moved = card(theirs, 'In Progress', 'Lift 2');
    await moved.and(theirs.locator('.glow')).waitFor();
    // The person who moved it gets no highlight.
    expect(await ours.locator('.glow').count()).toBe(0);
    await theirs.locator('.glow').waitFor({ state: 'detached' });

    await openDetails(theirs, 'Lift 2 stuck between floors');
    const writing = await openDetails(ours, 'Lift 2 stuck between floors');
    await writing.getByLabel('Add a comment').fill('Engineer is on site');
    await writing.getByRole('button', { name: 'Add Comment' }).click();
    await theirs.getByRole('listitem').filter({ hasText: 'Engineer is on site' }).getByText('Maya').waitFor();
    expect(await reloaded(theirs)).toBe(false);
  });

  test('what happens while the network is broken is there when it is back', async () => {
    const [ours, theirs] = await bothWindows();
    const port = childPort;
    childPort = undefined;
    proxy.cut();
    await theirs.locator('[data-live=reconnecting], [data-live=offline]').waitFor();
    await theirs.getByText('Reconnecting…').waitFor();
    await reportByHand(ours, 'Harbour House', 'Gutter blocked');
    await card(ours, 'Open', 'Gutter blocked').waitFor();
    expect(await issueLink(theirs, 'Gutter blocked').count()).toBe(0);
    childPort = port;
    await card(theirs, 'Open', 'Gutter blocked').waitFor(RECONNECTED);
    await live(theirs);
    expect(await reloaded(theirs)).toBe(false);
  });

  test('a server that is killed and started again is found again, with what happened meanwhile', async () => {
    const [ours, theirs] = await bothWindows();
    await child?.kill('SIGKILL');
    childPort = undefined;
    await theirs.locator('[data-live=reconnecting], [data-live=offline]').waitFor();
    await reportByHand(ours, 'Harbour House', 'Door closer broken');
    await startChildServer();
    await card(theirs, 'Open', 'Door closer broken').waitFor(RECONNECTED);
    await live(theirs);
    // It also follows new events, beyond the catch-up.
    await reportByHand(ours, 'Harbour House', 'Lamp out');
    await card(theirs, 'Open', 'Lamp out').waitFor();
    expect(await reloaded(theirs)).toBe(false);
  });
});
