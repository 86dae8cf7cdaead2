import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay, instantOf, startOfDay } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, cards, openSchedule, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

const clock = dayClock();

const setting = setUpWebSetting({ clock });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

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
    const { site, manager } = here;
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

  test('are told in cards and tables, and an empty table says so', async () => {
    const { manager } = here;
    const page = await setting.window(manager);
    await page.route(/trpc\/.*tasks\.list/, async (route) => {
      await page.getByText(taskMessages.loading).waitFor();
      await route.continue();
    });
    await page.goto(COMPLIANCE);
    await page.getByRole('heading', { name: taskMessages.none }).waitFor();
    expect(await cards(page)).toEqual([0, 0, 0, 0]);
    // A manager may not create locations.
    expect(await page.getByRole('link', { name: taskMessages.addLocation }).count()).toBe(0);

    const admin = await createPerson(setting.server.services, { role: 'admin' });
    const other = await here.open('', { as: admin });
    await other.getByRole('link', { name: taskMessages.addLocation }).click();
    await other.waitForURL('**/add-location');
  });

  test('stand in groups by the first word, or by the system (case 6)', async () => {
    const { tasks } = here;
    await tasks.add('weekly', { complianceSystem: 'Fire Alarm' });
    await tasks.add('monthly', { complianceSystem: 'fire doors' });
    await tasks.add('flushing', { complianceSystem: 'L8' });
    const page = await here.open();
    const groups = () => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
    await expect.poll(groups).toEqual(['Fire\n2', 'L8\n1']);
    const columns = await page
      .getByRole('table', { name: /^Fire/ })
      .getByRole('columnheader')
      .allInnerTexts();
    expect(columns.map((name) => name.trim()).filter(Boolean)).toEqual([
      ...['Task ID', 'Task', 'Status', 'Due Date', 'Last Completed', 'Responsible', 'Frequency', 'Actions'],
    ]);
    await page.getByLabel('Group by').selectOption('system');
    await expect.poll(groups).toEqual(['Fire Alarm\n1', 'fire doors\n1', 'L8\n1']);
    expect(new URL(page.url()).searchParams.get('group')).toBe('system');
  });
});

describe('all sites', () => {
  test('of a building that one may not see nothing is told', async () => {
    const { site } = here;
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
    const { tasks } = here;
    const [hidden, seen] = [
      await tasks.add('hidden', { responsiblePerson: 'Bea Stone' }),
      await tasks.add('seen', { responsiblePerson: 'Ann Weber' }),
    ];
    const page = await here.open('&responsible=Ann+Weber', { as: await here.colleague('viewer') });
    await task(page, 'seen').waitFor();
    await live(page);
    await tasks.complete(hidden);
    await tasks.complete(seen);
    await page.getByText(`${seen.taskNumber} Fire Alarm – seen`).waitFor();
    expect(await page.getByText(taskMessages.completedByOther).count()).toBe(1);
    expect(await page.getByText(hidden.taskNumber).count()).toBe(0);
  });

  test('a refusal puts the old value back and says why', async () => {
    const { tasks, today } = here;
    const made = await tasks.add('weekly test');
    const { taskNumber } = made;
    const page = await here.open();
    await task(page, 'weekly test').waitFor();
    await page.route(/trpc\/.*tasks\.(complete|schedule)/, refuseWith('not_found'));
    await page.getByRole('button', { name: `Complete ${taskNumber}` }).click();
    await page.getByText(taskMessages.statusFailed).waitFor();
    await task(page, 'weekly test').getByText('Non-Compliant').waitFor();
    await (await openSchedule(page, made)).fill(addDays(today, 9));
    await task(page, 'weekly test').getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText(taskMessages.scheduleFailed).waitFor();
    await task(page, 'weekly test').getByText(formatDay(today)).waitFor();
  });
});

describe('marks, undoing and retiring', () => {
  test('a completion dated before the mark is history only; one of its day ends it (T24)', async () => {
    const { client, tasks, today } = here;
    const boiler = await tasks.add('boiler');
    await tasks.mark(boiler);
    const page = await here.open();
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

describe('the calendar of Last Completed', () => {
  test('works by keyboard, and ends at today', async () => {
    const { tasks, today } = here;
    await tasks.add('weekly look', { lastDone: addDays(today, -6) });
    const page = await here.open();
    const button = task(page, 'weekly look').getByRole('button', { name: /^Last completed/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const day = (name: string) => page.getByRole('grid').getByRole('button', { name, exact: true });
    await expect
      .poll(() => day(formatDay(addDays(today, -6))).evaluate((it) => it === document.activeElement))
      .toBe(true);
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    // A week and a day later would be after today, so the focus stops at today.
    await expect.poll(() => day(formatDay(today)).evaluate((it) => it === document.activeElement)).toBe(true);
    await page.getByText(`${formatDay(today)}: completes what is due on`).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true);
  });

  test('completes what is not compliant, and corrects a completion that is too long ago for the next (T40)', async () => {
    const { client, tasks, today } = here;
    const { id } = await tasks.add('quarterly look', { frequency: 'quarterly' });
    const page = await here.open();
    await pick(page, 'quarterly look', addDays(today, -1));
    await page.getByText(taskMessages.corrected).waitFor();
    await task(page, 'quarterly look').getByText('Compliant', { exact: true }).waitFor();
    expect(await tasks.get(id)).toMatchObject({ completedOn: addDays(today, -1) });

    await pick(page, 'quarterly look', addDays(today, -3));
    await expect.poll(async () => (await tasks.get(id)).completedOn).toBe(addDays(today, -3));
    const { data } = await client.tasks.record.query({ id });
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'completed', 'corrected']);
  });
});

describe('at midnight', () => {
  test('a lapsed task turns red in an open window by itself', async () => {
    const { site, manager, tasks, today } = here;
    const { services } = setting.server;
    await tasks.add('weekly test', { lastDone: addDays(today, -7) });
    clock.set(new Date(instantOf(today, '23:30')).toISOString());
    const page = await setting.window(manager);
    await page.clock.install({ time: services.clock.now() });
    await page.goto(`${COMPLIANCE}?building=${site.id}`);
    await task(page, 'weekly test').getByText('Compliant', { exact: true }).waitFor();
    expect(await cards(page)).toEqual([1, 0, 0, 1]);
    clock.set(new Date(startOfDay(addDays(today, 1)) + 1_000).toISOString());
    await page.clock.fastForward('30:05');
    await task(page, 'weekly test').getByText('Non-Compliant').waitFor();
    await task(page, 'weekly test').getByText('1 day overdue').waitFor();
    expect(await cards(page)).toEqual([0, 1, 1, 0]);
  });
});
