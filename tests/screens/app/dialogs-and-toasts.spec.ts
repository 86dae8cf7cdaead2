import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { type AssetsSite, act, createAssetsSite } from '#tests/support/screens/assets-site.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

// Behaviour common to all screens: dialogs return the focus, a message appears in one place, nothing covers an action.

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true };
const setting = setUpWebSetting();
let harbour: TestBuilding;
let admin: TestPerson;
let manager: TestPerson;
let here: AssetsSite;

beforeAll(async () => {
  const { services } = setting.server;
  here = await createAssetsSite(setting);
  harbour = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  admin = await createPerson(services, { role: 'admin' });
  manager = await createPerson(services, { role: 'manager', buildings: [harbour.id] });
});

const fail = (page: Page, procedures: string) =>
  page.route(new RegExp(`trpc/.*(${procedures})`), refuseWith('internal'));
/** How far the upper element's end is above the lower one, px. */
async function gap(upper: Locator, lower: Locator): Promise<number> {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()];
  if (above === null || below === null) throw new Error('not shown');
  return below.y - (above.y + above.height);
}
const errors = (page: Page) =>
  page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });

describe('a dialog that Escape closes gives the focus back', () => {
  test('of an issue, to its card', async () => {
    await reportIssues(setting.server, manager, harbour, [{ title: 'Lift 2 stuck' }]);
    const page = await setting.open(manager, '/building-issues');
    const card = page.getByRole('link', { name: /Lift 2 stuck/ });
    await card.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test.each<[kind: string, opens: { button: RegExp; item?: RegExp }]>([
    ['a button', { button: /^Invite User$/ }],
    ['a menu', { button: /^Actions for/, item: /Role history/ }],
  ])('to %s', async (_kind, opens) => {
    const page = await setting.open(admin, '/user-management');
    const opener = page.getByRole('button', { name: opens.button }).first();
    await opener.click();
    if (opens.item !== undefined) await page.getByRole('menuitem', { name: opens.item }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('a toast', () => {
  test('takes the place of its copy', async () => {
    const page = await setting.open(admin, '/locations');
    // Waits for the first answer, because before that Refresh sends no request.
    await page
      .getByRole('button', { name: /^Client/ })
      .first()
      .waitFor();
    await fail(page, 'locations\\.list');
    for (const _again of [1, 2, 3]) {
      const asked = page.waitForResponse(/locations\.list/);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await asked;
      await errors(page).first().waitFor();
    }
    await expect.poll(() => errors(page).count()).toBe(1);
  });

  test('stands above the main action of a phone, and what it covers can be scrolled to', async () => {
    const operative = await createPerson(setting.server.services, {
      role: 'operative',
      buildings: [harbour.id],
    });
    const page = await setting.open(operative, '/operative-tasks/fire-alarm', PHONE);
    const record = page.getByRole('button', { name: 'Record test' });
    await record.click();
    const toast = errors(page).filter({ hasText: 'Missing information' });
    await toast.waitFor();
    await expect.poll(async () => (await gap(toast, record)) > 0).toBe(true);
    const last = page.getByLabel('Notes').last();
    await last.scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 5_000);
    await expect.poll(async () => (await gap(last, toast)) >= 0).toBe(true);
  });

  test('covers neither the actions of rows nor what stands at the end of a page', async () => {
    for (let n = 1; n <= 14; n += 1) await here.add(`Call Point ${n}`);
    const page = await setting.open(admin, '/asset-management', { viewport: { width: 1366, height: 700 } });
    await act(page, 'Call Point 1', 'Duplicate');
    const toast = page.getByRole('status').filter({ hasText: 'duplicated' });
    // The toast names its subject.
    await toast.getByText('Call Point 1', { exact: true }).waitFor();
    const said = await toast.boundingBox();
    // The toast has one line, so it covers at most one row.
    expect(said?.height).toBeLessThanOrEqual(40);
    for (const button of await page.getByRole('button', { name: /^Actions for/ }).all()) {
      const box = await button.boundingBox();
      expect((said?.x ?? 0) + (said?.width ?? 0)).toBeLessThan(box?.x ?? 0);
    }
    await toast.hover();
    await page.keyboard.press('End');
    const last = page.locator('[data-asset]').last();
    await expect.poll(async () => (await gap(last, toast)) >= 0).toBe(true);
  });

  test('leaves a board, which is as high as the window, its own room', async () => {
    await reportIssues(setting.server, manager, harbour, [{ title: 'Lift 3 stuck' }]);
    const page = await setting.open(manager, '/building-issues');
    await page.getByRole('link', { name: /Lift 3 stuck/ }).waitFor();
    await fail(page, 'issues\\.update');
    await page.getByRole('link', { name: /Lift 3 stuck/ }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await errors(page).waitFor();
    const column = page.getByRole('region', { name: 'Open', exact: true });
    await expect.poll(async () => (await gap(column, errors(page))) >= 0).toBe(true);
  });
});

test('on a screen as at 400 % zoom, bars go with the page', async () => {
  const operative = await createPerson(setting.server.services, {
    role: 'operative',
    buildings: [harbour.id],
  });
  const page = await setting.open(operative, '/operative-tasks/fire-alarm', {
    viewport: { width: 320, height: 225 },
  });
  await page.getByRole('button', { name: 'Record test' }).waitFor();
  await page.evaluate(() => window.scrollTo(0, 300));
  const bars = page.locator('header, main > .sticky');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
  const shown = await bars.evaluateAll((all) =>
    all
      .map((bar) => bar.getBoundingClientRect())
      .filter(({ top, bottom }) => bottom > 0 && top < innerHeight),
  );
  // The page is scrolled, and not to its end, so no bar would be in sight unless it stuck to an edge of the screen.
  expect(shown).toEqual([]);
});

test('a card that one has edited stays under the mouse when another person moves it', async () => {
  const [id = ''] = await reportIssues(setting.server, manager, harbour, [{ title: 'Tap drips' }]);
  const page = await setting.open(manager, '/building-issues');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  await page.locator('[data-live=live]').waitFor();
  await column('Open').getByText('Tap drips').click();
  const dialog = page.getByRole('dialog', { name: 'Tap drips' });
  await dialog.getByLabel('Priority').selectOption('high');
  await dialog.getByRole('button', { name: 'Update Issue' }).click();
  await dialog.waitFor({ state: 'detached' });
  await column('Open').getByText('Tap drips').hover();
  const other = createTestClient(setting.server.url, await signInAs(setting.server, admin));
  const changes = { status: { from: 'open', to: 'resolved' } } as const;
  await other.issues.update.mutate({ operationId: uuidv7(), id, changes });
  await column('Resolved').getByText('1 waiting').waitFor();
  expect(await column('Open').getByText('Tap drips').count()).toBe(1);
});

test('the fire log says that its records could not be loaded', async () => {
  const log = await setting.open(manager, '/dashboard');
  await fail(log, 'checks\\.');
  await log.goto('/logbook/fire-alarm');
  await log.getByText('Failed to load fire alarm test records', { exact: false }).waitFor();
});

test('a mistake at a field is shown there, and only there', async () => {
  const page = await setting.open(admin, '/add-building');
  const submit = page.getByRole('button', { name: 'Add Building', exact: true }).last();
  for (const _again of [1, 2]) {
    await submit.click();
    await page.getByText('Client is required').first().waitFor();
  }
  expect(await errors(page).count()).toBe(0);
});

test("one's own new issue shows at once, although the mouse is over the board", async () => {
  await reportIssues(setting.server, manager, harbour, [{ title: 'Door closer broken' }]);
  const page = await setting.open(manager, '/building-issues');
  const column = page.getByRole('region', { name: 'Open', exact: true });
  await column.getByText('Door closer broken').hover();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Gate left open');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await column.getByText('Gate left open').waitFor();
  expect(await column.getByText(/waiting/).count()).toBe(0);
});
