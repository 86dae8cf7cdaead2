import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { cards, choose, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// Work with many tasks at once, with tasks that checks satisfy, on a phone, and on paper.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting, { firstName: 'Ada', lastName: 'Byrne' });
});

describe('a selection', () => {
  test('leaves out what a filter hides, and dates that follow from checks', async () => {
    const { tasks, today } = here;
    await tasks.add('by hand');
    await tasks.add('by check', { check: 'alarm_test' });
    const page = await here.open();
    await page.getByRole('checkbox', { name: 'Select all of Fire' }).check();
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.getByRole('button', { name: 'Reschedule…' }).click();
    await page.getByText(taskMessages.keepTheirDates(1)).waitFor();
    await page.getByRole('dialog').getByLabel('New due date').fill(addDays(today, 20));
    await page.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
    await page.getByText(taskMessages.rescheduledAll(1)).waitFor();
    await page.getByRole('checkbox', { name: 'Select all of Fire' }).check();
    await bar.getByText('2 selected').waitFor();
    await page.getByLabel('Search tasks...').fill('by hand');
    await bar.getByText('1 selected').waitFor();
  });
});

describe('completing with more', () => {
  test('by a certificate asks for the date on it, from the button and from the calendar', async () => {
    const { tasks, today } = here;
    const { taskNumber } = await tasks.add('condition report', { frequency: 'P60M/stated' });
    const page = await here.open();
    await page.getByRole('button', { name: `Complete ${taskNumber}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await dialog.getByText(taskMessages.statedRequired).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await task(page, 'condition report')
      .getByRole('button', { name: /^Last completed/ })
      .click();
    await page
      .getByRole('grid')
      .getByRole('button', { name: formatDay(today), exact: true })
      .click();
    await dialog.getByLabel('Date on the certificate').fill(addDays(today, 1000));
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await task(page, 'condition report').getByText('Compliant', { exact: true }).waitFor();
    await task(page, 'condition report')
      .getByText(formatDay(addDays(today, 1000)))
      .waitFor();
  });

  test('a task that was completed on another day meanwhile is asked about (T25)', async () => {
    const { tasks, today } = here;
    const made = await tasks.add('weekly test', { lastDone: addDays(today, -10) });
    const page = await here.open();
    await task(page, 'weekly test').waitFor();
    await page.route(
      /trpc\/.*tasks\.complete/,
      async (route) => {
        await tasks.complete(made, addDays(today, -1));
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: `Complete ${made.taskNumber}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(taskMessages.changedSince).waitFor();
    await dialog.getByText(formatDay(addDays(today, -1))).waitFor();
    await dialog.getByRole('button', { name: taskMessages.leaveAsIs }).click();
    await task(page, 'weekly test').getByText('Compliant', { exact: true }).waitFor();
    expect((await tasks.get(made.id)).completedOn).toBe(addDays(today, -1));
  });

  test('early completes what is compliant, with a day and notes (T40)', async () => {
    const { tasks, today } = here;
    const made = await tasks.add('yearly service', { frequency: 'annually', lastDone: addDays(today, -90) });
    const page = await here.open();
    await choose(page, made.taskNumber, 'Completed early…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Completed on').fill(addDays(today, -1));
    await dialog.getByLabel('Notes').fill('With the boiler');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await page.getByText(taskMessages.completed).waitFor();
    await task(page, 'yearly service')
      .getByText(formatDay(addDays(today, -1)))
      .waitFor();
    await page.getByRole('link', { name: /yearly service/ }).click();
    await page.getByRole('dialog').getByText('With the boiler').waitFor();
  });

  test('Complete asks why whole occurrences were missed, and the record tells it', async () => {
    const { tasks, today } = here;
    const why = 'The contractor was closed';
    // The task was due two weeks ago, and therefore a week ago and today, too.
    const lapsed = await tasks.add('Service', { lastDone: addDays(today, -21) });
    const page = await here.open();
    await task(page, 'Service')
      .getByRole('button', { name: `Complete ${lapsed.taskNumber}` })
      .click();
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel(taskMessages.missedReason(2));
    await reason.waitFor();
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
    await dialog.getByText(taskMessages.reasonRequired).waitFor();
    expect((await tasks.get(lapsed.id)).completedOn).toBe(lapsed.completedOn);
    await reason.fill(why);
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText(taskMessages.completed).waitFor();
    expect((await tasks.get(lapsed.id)).completedOn).toBe(today);
    await choose(page, lapsed.taskNumber, 'Record and history');
    await page.getByText(taskMessages.missedBecause(why)).waitFor();
  });
});

describe('on a phone', () => {
  test('tasks are cards with targets for thumbs, and nothing is wider than the screen', async () => {
    const { client, tasks, today } = here;
    const made = await tasks.add('weekly test', { lastDone: addDays(today, -10) });
    const page = await here.open('', PHONE);
    const card = task(page, 'weekly test');
    await card.waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    const small = await card.locator('button, a, input, label').evaluateAll((all) =>
      all
        .filter((one) => one.closest('label') === null || one.tagName === 'LABEL')
        .map((one) => ({ name: one.textContent, height: one.getBoundingClientRect().height }))
        .filter(({ height }) => height < 48),
    );
    // The name is a link within the card's text.
    expect(small.filter(({ name }) => name !== 'Fire Alarm – weekly test')).toEqual([]);
    await page.getByRole('button', { name: `Complete ${made.taskNumber}` }).click();
    await card.getByText('Compliant', { exact: true }).waitFor();
    await page.getByText(taskMessages.completed).waitFor();
    const { data } = await client.tasks.record.query({ id: made.id });
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'completed']);
    expect(await cards(page)).toEqual([1, 0, 0, 1]);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
      .toBe(true);
  });
});

describe('on paper', () => {
  test('stand the location, the day, the cards and the tables, without what one presses', async () => {
    const { tasks, today } = here;
    await tasks.add('weekly test');
    const page = await here.open('', PHONE);
    await task(page, 'weekly test').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`Harbour House · ${formatDay(today)} · 1 task`).waitFor();
    const columns = await page.getByRole('columnheader').allInnerTexts();
    expect(columns).toEqual([
      ...['Task ID', 'Task', 'Status', 'Due Date', 'Last Completed', 'Responsible', 'Frequency'],
    ]);
    for (const name of [/^Schedule/, /^Location/, /^Select/]) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await page.getByRole('link', { name: 'Export CSV' }).count()).toBe(0);
  });
});

test('the file has what the list shows', async () => {
  const { tasks } = here;
  await tasks.add('weekly test', { responsiblePerson: 'Ann Weber' });
  await tasks.add('other');
  const page = await here.open('&responsible=Ann+Weber');
  await task(page, 'weekly test').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text).toContain('weekly test');
  expect(text).not.toContain('other');
});
