import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, choose, openSchedule, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// Dates that are typed into date fields: a day that does not exist, half a date, a year with a digit too few. The browser
// gives such a field no value, and the app must not take it for an empty field. The fields show MM/DD/YYYY here.

const { dateInvalid } = messages.common;

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

/** Empties the field, and types into it as on a keyboard. */
async function type(field: Locator, keys: string): Promise<void> {
  await field.fill('');
  // With a new focus, typing begins at the first part of the field.
  await field.blur();
  await field.focus();
  await field.pressSequentially(keys);
}
const openList = () => setting.open(here.manager, `${COMPLIANCE}?building=${here.site.id}`);
const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement);

/** [what, keys] */
const UNREADABLE = [
  ['31 February', '02312026'],
  ['half a date', '1125'],
] as const;

describe('at Schedule', () => {
  async function openOne(): Promise<{ page: Page; field: Locator; id: string }> {
    const made = await here.tasks.add('Service');
    const page = await openList();
    await live(page);
    return { page, id: made.id, field: await openSchedule(page, made) };
  }

  test.each(UNREADABLE)('%s is said to be no date, and the field keeps the focus', async (_what, keys) => {
    const { page, field, id } = await openOne();
    await type(field, keys);
    await page.keyboard.press('Enter');
    await page.getByText(`${taskMessages.scheduleFailed}. ${dateInvalid}`).waitFor();
    expect(await isFocused(field)).toBe(true);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect((await here.tasks.get(id)).version).toBe(1);
    // Corrected by keyboard only.
    await type(field, `1225${here.today.slice(0, 4)}`);
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    await page.keyboard.press('Enter');
    await page.getByText(taskMessages.scheduled).waitFor();
    expect((await here.tasks.get(id)).due).toBe(`${here.today.slice(0, 4)}-12-25`);
  });

  test('the year 0026 is out of range, and nothing moves', async () => {
    const { page, field, id } = await openOne();
    await type(field, '11252');
    await page.keyboard.press('6');
    await page.keyboard.press('Enter');
    await page.getByText(`${taskMessages.scheduleFailed}. ${taskMessages.scheduleOutOfRange}`).waitFor();
    expect((await here.tasks.get(id)).version).toBe(1);
  });

  test('a field that is emptied again offers nothing', async () => {
    const { page, field } = await openOne();
    const button = page.getByRole('button', { name: 'Schedule', exact: true });
    await type(field, '1125');
    await expect.poll(() => button.isEnabled()).toBe(true);
    for (const key of ['Backspace', 'ArrowLeft', 'Backspace', 'ArrowLeft', 'Backspace']) {
      await page.keyboard.press(key);
    }
    await expect.poll(() => button.isDisabled()).toBe(true);
  });
});

describe('when a task is added', () => {
  test('31 February as the last done date is not taken for "never done"', async () => {
    const page = await setting.open(here.manager, `/add-task?building=${here.site.id}`);
    await page.getByLabel('Compliance System').fill('Fire Alarm');
    await page.getByLabel('Task Description').fill('Service');
    await page.getByLabel('Frequency').selectOption('Weekly');
    const field = page.getByLabel('Last done (optional)');
    await type(field, '02312026');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByText(dateInvalid).waitFor();
    await expect.poll(() => isFocused(field)).toBe(true);
    expect((await here.client.tasks.list.query({ buildingId: here.site.id })).data.tasks).toEqual([]);

    const done = addDays(here.today, -3);
    await type(field, done.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1'));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    const { data } = await here.client.tasks.list.query({ buildingId: here.site.id });
    expect(data.tasks).toMatchObject([{ completedOn: done }]);
  });

  test('the year 0026 and tomorrow are refused at the field', async () => {
    const page = await setting.open(here.manager, `/add-task?building=${here.site.id}`);
    await page.getByLabel('Compliance System').fill('Fire Alarm');
    await page.getByLabel('Task Description').fill('Service');
    await page.getByLabel('Frequency').selectOption('Weekly');
    const tomorrow = addDays(here.today, 1).replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1');
    for (const [keys, sentence] of [
      ['01310026', taskMessages.completionTooOld],
      [tomorrow, taskMessages.completionFuture],
    ] as const) {
      await type(page.getByLabel('Last done (optional)'), keys);
      await page.keyboard.press('Enter');
      await page.getByText(sentence).waitFor();
    }
    expect((await here.client.tasks.list.query({ buildingId: here.site.id })).data.tasks).toEqual([]);
  });
});

describe('in the dialogs', () => {
  test('half a date completes nothing', async () => {
    const { id, taskNumber } = await here.tasks.add('Service');
    const page = await openList();
    await live(page);
    await choose(page, taskNumber, /^Complete with/);
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Completed on');
    await type(field, '1125');
    await page.keyboard.press('Enter');
    await dialog.getByText(dateInvalid).waitFor();
    await expect.poll(() => isFocused(field)).toBe(true);
    expect((await here.tasks.get(id)).version).toBe(1);
  });

  test('a certificate until 31 February is not one without a date', async () => {
    const { id, taskNumber } = await here.tasks.add('Report', { frequency: 'P60M/stated' });
    const page = await openList();
    await live(page);
    await choose(page, taskNumber, /^Complete with/);
    const dialog = page.getByRole('dialog');
    await type(dialog.getByLabel('Date on the certificate'), '02312028');
    await page.keyboard.press('Enter');
    await dialog.getByText(dateInvalid).waitFor();
    await type(dialog.getByLabel('Date on the certificate'), '02282028');
    await page.keyboard.press('Enter');
    await page.getByText(taskMessages.completed).waitFor();
    expect((await here.tasks.get(id)).coveredUntil).toBe('2028-02-28');
    await task(page, 'Report').getByText(formatDay('2028-02-28')).waitFor();
  });

  test('half a date reschedules no selection', async () => {
    const { id, taskNumber } = await here.tasks.add('Service');
    const page = await openList();
    await live(page);
    await page.getByRole('checkbox', { name: `Select ${taskNumber}` }).check();
    await page.getByRole('button', { name: 'Reschedule…' }).click();
    const dialog = page.getByRole('dialog');
    await type(dialog.getByLabel('New due date'), '1125');
    await page.keyboard.press('Enter');
    await dialog.getByText(dateInvalid).waitFor();
    expect((await here.tasks.get(id)).version).toBe(1);
  });
});
