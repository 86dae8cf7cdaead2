import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, openSchedule, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// Compliance Details by keyboard only: after each action the focus is still in the row, or at the place where work continues.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;
let first: Task;

beforeEach(async () => {
  here = await createTasksSite(setting);
  first = await here.tasks.add('first');
  await here.tasks.add('second');
});

async function open(query = ''): Promise<Page> {
  const page = await setting.open(here.manager, `${COMPLIANCE}?building=${here.site.id}${query}`);
  await page.locator('[data-task]').first().waitFor();
  await live(page);
  return page;
}

/** The focused element: the name of a control, and the description of the task whose row it is in. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.activeElement;
    const row = active?.closest('[data-task]')?.querySelector('a')?.textContent ?? 'no row';
    return `${active?.tagName} ${active?.getAttribute('aria-label') ?? active?.textContent?.slice(0, 40)} in ${row}`;
  });
}
const inFirst = /in .*first$/;
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('the focus', () => {
  test('stays in the row after Complete', async () => {
    const page = await open();
    await page.getByRole('button', { name: `Complete ${first.taskNumber}` }).focus();
    await press(page, 'Enter');
    await page.getByText(taskMessages.completed).waitFor();
    await expect.poll(() => focused(page)).toMatch(inFirst);
  });

  test('stays in the row after Schedule, by the button and in the field', async () => {
    const page = await open();
    await (await openSchedule(page, first)).fill(addDays(here.today, 3));
    await task(page, 'first').getByRole('button', { name: 'Schedule', exact: true }).focus();
    await press(page, 'Space');
    await page.getByText(taskMessages.scheduled).waitFor();
    await expect.poll(() => focused(page)).toMatch(inFirst);
    await (await openSchedule(page, first)).fill(addDays(here.today, 4));
    await press(page, 'Enter');
    await expect.poll(async () => (await here.tasks.get(first.id)).due).toBe(addDays(here.today, 4));
    expect(await focused(page)).toMatch(inFirst);
  });

  test('comes back to Last Completed when a day is chosen in its calendar, and Tab leaves it', async () => {
    const page = await open();
    const button = task(page, 'first').getByRole('button', { name: /^Last completed/ });
    await button.focus();
    await press(page, 'Enter');
    await page.getByRole('grid').waitFor();
    await expect.poll(() => focused(page)).toContain('BUTTON');
    await press(page, 'ArrowUp', 'Enter');
    await page.getByText(taskMessages.corrected).waitFor();
    expect((await here.tasks.get(first.id)).completedOn).toBe(addDays(here.today, -7));
    await expect.poll(() => focused(page)).toMatch(/Last completed.* in .*first$/);
    await press(page, 'Enter');
    await page.getByRole('grid').waitFor();
    await press(page, 'Tab');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(inFirst);
  });

  test.each([
    ['Escape', ['Escape']],
    ['its action', ['Tab', 'Tab', 'Enter']],
  ])('comes back to the menu of the row after a dialog is left by %s', async (_by, keys) => {
    const page = await open();
    await page.getByRole('button', { name: `Actions for ${first.taskNumber}` }).focus();
    await press(page, 'Enter');
    await page.getByRole('menuitem', { name: /^Mark/ }).waitFor();
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').waitFor();
    await expect.poll(() => focused(page)).toContain('TEXTAREA');
    if (keys.length > 1) await page.keyboard.type('A fault');
    await press(page, ...keys);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/Actions for .* in .*first$/);
    expect((await here.tasks.get(first.id)).markedOn).toBe(keys.length > 1 ? here.today : null);
  });

  test('stays in a row that a filter no longer lets through, until it leaves the list', async () => {
    const page = await open('&status=non-compliant');
    await page.getByRole('button', { name: `Complete ${first.taskNumber}` }).focus();
    await press(page, 'Enter');
    await page.getByText(taskMessages.completed).waitFor();
    await expect.poll(() => focused(page)).toMatch(inFirst);
    await press(page, '/');
    await expect.poll(() => task(page, 'first').count()).toBe(0);
    await expect.poll(() => focused(page)).toContain('INPUT');
  });

  test('goes on in the list after Restore', async () => {
    await here.tasks.retire(first);
    const page = await open('&show=retired');
    await page.getByRole('button', { name: `Restore ${first.taskNumber}` }).focus();
    await press(page, 'Enter');
    await page.getByText(taskMessages.restored).waitFor();
    await expect.poll(() => focused(page)).not.toContain('BODY');
  });
});

test('a selection is made, changed and left by keys alone', async () => {
  const page = await open();
  await page.getByRole('checkbox', { name: `Select ${first.taskNumber}` }).focus();
  await press(page, 'Space');
  const bar = page.getByRole('region', { name: 'Selected tasks' });
  await bar.waitFor();
  await bar.getByRole('button', { name: 'Retire…' }).focus();
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').waitFor();
  await expect.poll(() => focused(page)).toContain('TEXTAREA');
  await page.keyboard.type('Sold');
  await press(page, 'Tab', 'Tab', 'Enter');
  await page.getByText(taskMessages.retiredAll(1)).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).not.toContain('BODY');
});
