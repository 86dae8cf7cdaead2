import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, task, type tasksOf } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite } from '#tests/support/screens/tasks-site.ts';
import type { TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

let setting: WebSetting;
let site: TestBuilding;
let manager: TestPerson;
let client: TestClient;
let tasks: ReturnType<typeof tasksOf>;
let today: string;

beforeAll(async () => {
  setting = await createWebSetting({ clock: dayClock() });
});
beforeEach(async () => {
  ({ site, manager, client, tasks, today } = await createTasksSite(setting));
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const person = (role: 'manager' | 'viewer' | 'operative', name?: { firstName: string; lastName: string }) =>
  createPerson(setting.server.services, { role, buildings: [site.id], ...name });
const open = (who: TestPerson, query = '') => setting.open(who, `${COMPLIANCE}?building=${site.id}${query}`);

/** Chooses a day in a task's calendar of Last Completed. */
const pick = async (page: Page, name: string, day: string) => {
  await task(page, name)
    .getByRole('button', { name: /^Last completed/ })
    .click();
  const calendar = page.getByRole('grid');
  await calendar.waitFor();
  const month = page.getByText(formatDay(day).replace(/ \d+,/, ''), { exact: true });
  if ((await month.count()) === 0) await page.getByRole('button', { name: 'Previous month' }).click();
  await calendar.getByRole('button', { name: formatDay(day), exact: true }).click();
};

describe('the tasks of a building', () => {
  test('say in the words of the product that they could not be read', async () => {
    const page = await setting.window(manager);
    await page.route(/trpc\/.*tasks\.list/, refuseWith('internal'));
    await page.goto(`${COMPLIANCE}?building=${site.id}`);
    const failure = page.getByRole('alert');
    await failure.getByText(taskMessages.fetchFailed).waitFor();
    await failure.getByText(taskMessages.fetchFailedText).waitFor();
    await page.unroute(/trpc\/.*tasks\.list/);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: taskMessages.none }).waitFor();
  });
});

describe('all sites', () => {
  test('of a building that one may not see nothing is told', async () => {
    const other = await createBuilding(setting.server.services, { name: 'Not mine' });
    const mine = await createBuilding(setting.server.services, { name: 'Also mine' });
    const both = await createPerson(setting.server.services, {
      role: 'manager',
      buildings: [site.id, mine.id],
    });
    const page = await setting.open(both, `${COMPLIANCE}?building=${other.id}`);
    await page.getByText(taskMessages.fetchFailedText).waitFor();
  });
});

describe('completing and scheduling', () => {
  test('what a colleague does is told only about tasks that the list shows (T35)', async () => {
    const [hidden, seen] = [
      await tasks.add('hidden', { responsiblePerson: 'Bea Stone' }),
      await tasks.add('seen', { responsiblePerson: 'Ann Weber' }),
    ];
    const page = await open(await person('viewer'), '&responsible=Ann+Weber');
    await task(page, 'seen').waitFor();
    await live(page);
    await tasks.complete(hidden);
    await tasks.complete(seen);
    await page.getByText(`${seen.taskNumber} Fire Alarm – seen`).waitFor();
    expect(await page.getByText(taskMessages.completedByOther).count()).toBe(1);
    expect(await page.getByText(hidden.taskNumber).count()).toBe(0);
  });

  test.each(['1900-01-01', '9999-12-31'])('to %s is refused with its reason (case 8)', async (day) => {
    const service = await tasks.add('service');
    const page = await open(manager);
    await task(page, 'service').locator('input[type=date]').fill(day);
    await task(page, 'service').getByRole('button', { name: 'Schedule' }).click();
    await page.getByText(`${taskMessages.scheduleFailed}. ${taskMessages.scheduleOutOfRange}`).waitFor();
    await task(page, 'service').getByText(formatDay(today)).waitFor();
    expect((await tasks.get(service.id)).version).toBe(service.version);
  });

  test('a refusal puts the old value back and says why', async () => {
    const { taskNumber } = await tasks.add('weekly test');
    const page = await open(manager);
    await task(page, 'weekly test').waitFor();
    await page.route(/trpc\/.*tasks\.(complete|schedule)/, refuseWith('not_found'));
    await page.getByRole('button', { name: `Complete ${taskNumber}` }).click();
    await page.getByText(taskMessages.statusFailed).waitFor();
    await task(page, 'weekly test').getByText('Non-Compliant').waitFor();
    await task(page, 'weekly test').locator('input[type=date]').fill(addDays(today, 9));
    await task(page, 'weekly test').getByRole('button', { name: 'Schedule' }).click();
    await page.getByText(taskMessages.scheduleFailed).waitFor();
    await task(page, 'weekly test').getByText(formatDay(today)).waitFor();
  });
});

describe('marks, undoing and retiring', () => {
  test('a completion dated before the mark is history only; one of its day ends it (T24)', async () => {
    const boiler = await tasks.add('boiler');
    await tasks.mark(boiler);
    const page = await open(manager);
    await pick(page, 'boiler', addDays(today, -1));
    await page.getByText(taskMessages.recordedOnly(formatDay(today))).waitFor();
    await expect.poll(async () => (await client.tasks.record.query({ id: boiler.id })).data.length).toBe(3);
    await task(page, 'boiler').getByText('Non-Compliant').waitFor();
    await task(page, 'boiler')
      .getByText(/A fault/)
      .waitFor();
    await pick(page, 'boiler', today);
    await task(page, 'boiler').getByText('Compliant', { exact: true }).waitFor();
    await expect.poll(() => tasks.get(boiler.id)).toMatchObject({ markedOn: null, completedOn: today });
  });
});

describe('the record of a task', () => {
  test('of a task that one may not see tells nothing', async () => {
    const page = await open(manager, '&task=018f0000-0000-7000-8000-00000000dead');
    await page.getByRole('dialog').getByText(taskMessages.gone).waitFor();
  });
});

describe('the calendar of Last Completed', () => {
  test('works by keyboard, and ends at today', async () => {
    await tasks.add('weekly look', { lastDone: addDays(today, -6) });
    const page = await open(manager);
    const button = task(page, 'weekly look').getByRole('button', { name: /^Last completed/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const day = (name: string) => page.getByRole('grid').getByRole('button', { name, exact: true });
    await expect
      .poll(() => day(formatDay(addDays(today, -6))).evaluate((it) => it === document.activeElement))
      .toBe(true);
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    // A week and a day later than six days ago is after today.
    await expect.poll(() => day(formatDay(today)).evaluate((it) => it === document.activeElement)).toBe(true);
    await page.getByText(`${formatDay(today)}: completes what is due on`).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true);
  });
});
