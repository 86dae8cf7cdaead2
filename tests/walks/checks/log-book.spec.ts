import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayOf } from '#shared/dates.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createLogSite, type LogSite } from '#tests/support/screens/log-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

const setting = setUpWebSetting({ clock, env: { logsUnderRebuild: ['emergency_lighting_test'] } });
let here: LogSite;

beforeAll(async () => {
  here = await createLogSite(setting);
});

const week = (page: Page, start: string) => page.locator(`tr[data-week="${start}"]`);
const weeks = (page: Page) => page.locator('tr[data-week]');

describe('the fire alarm log', () => {
  test('opens at the present week, oldest first, and says on which day the test was', async () => {
    const today = dayOf(clock.now());
    await here.tested('2025-06-17', { place: 'Loading Bay' });
    const page = await setting.open(here.viewer, `/logbook/fire-alarm?building=${here.harbour.id}`);
    await page.locator('tr[aria-current=date]').waitFor();
    expect(await page.getByRole('link', { name: logMessages.addRecord }).count()).toBe(0);
    await expect
      .poll(() =>
        page.locator('tr[aria-current=date]').evaluate((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
      )
      .toBe(true);
    expect((await weeks(page).first().getAttribute('data-week'))?.slice(0, 4)).toBe(today.slice(0, 4));
    await page.goto(here.year(2025));
    await page.getByRole('columnheader', { name: 'Week of' }).waitFor();
    await week(page, '2025-06-13').getByText('Tested Tue 17 Jun 2025').waitFor();
  });

  test('an amendment is a further record with a reason, seen elsewhere; the original is struck through', async () => {
    const entry = await here.tested('2025-03-07', { place: 'Lobby' });
    const [ours, theirs] = await Promise.all([
      setting.open(here.manager, `${here.year(2025)}&entry=${entry}`),
      setting.open(here.viewer, here.year(2025)),
    ]);
    await live(theirs);
    await week(theirs, '2025-03-07').getByText('Pass', { exact: true }).waitFor();
    await ours.getByRole('button', { name: 'Amend' }).click();
    const dialog = ours.getByRole('dialog', { name: logMessages.amendTitle });
    await dialog.getByLabel('Result').selectOption('Fail');
    await dialog.getByRole('button', { name: 'Save amendment' }).click();
    await dialog.getByText(checkMessages.reasonRequired).waitFor();
    await dialog.getByLabel('Reason').fill('The bell did not ring');
    await dialog.getByRole('button', { name: 'Save amendment' }).click();
    await ours.getByText(checkMessages.amended).waitFor();
    const thread = ours.getByRole('dialog', { name: 'Lobby' });
    await thread.getByText('The bell did not ring').waitFor();
    await thread.locator('.line-through').first().waitFor();
    expect(await thread.getByRole('button', { name: 'Amend' }).count()).toBe(0);
    await week(theirs, '2025-03-07').getByText('Fail', { exact: true }).waitFor();
  });

  test('a missed week asks for its reason, once, and shows it to all', async () => {
    await here.tested('2025-01-03');
    const [ours, theirs] = await Promise.all([
      setting.open(here.operative, here.year(2025)),
      setting.open(here.viewer, here.year(2025)),
    ]);
    await live(theirs);
    const missed = week(ours, '2025-08-08');
    await missed.getByRole('button', { name: logMessages.giveReason }).click();
    const dialog = ours.getByRole('dialog', { name: logMessages.reasonTitle });
    await dialog.getByLabel('Reason').fill('Building closed for works');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await missed.getByText('Building closed for works').waitFor();
    await week(theirs, '2025-08-08').getByText('Building closed for works').waitFor();
    expect(await theirs.getByRole('button', { name: logMessages.giveReason }).count()).toBe(0);
    expect(await missed.getByRole('button', { name: logMessages.giveReason }).count()).toBe(0);
  });
});

describe('all sites', () => {
  test('a check recorded elsewhere is seen in the grid, the list and on the cards by itself', async () => {
    const [grid, cards] = await Promise.all([
      setting.open(here.viewer, '/logbook/fire-alarm?year=2026'),
      setting.open(here.manager, '/logbook'),
    ]);
    await Promise.all([live(grid), live(cards)]);
    const row = grid.getByRole('link', { name: /Mill Lane Studios/ });
    await row.waitFor();
    expect(await row.textContent()).not.toContain('pass');
    const card = cards.locator('[data-kind=fire_alarm_test]');
    await card.getByText('0 / 2').waitFor();
    const today = dayOf(clock.now());
    const entry = uuidv7();
    await here.tested(today, { id: entry, site: here.mill, place: 'Yard' });
    await grid.locator(`tr[data-entry="${entry}"]`).waitFor();
    await grid.getByRole('link', { name: /Mill Lane Studios\s*: 1 pass/ }).waitFor();
    await grid.locator('tr[data-entry]').filter({ hasText: 'Yard' }).waitFor();
    await card.getByText('1 / 2').waitFor();
  });
});
