import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { withoutPointerLeave } from '#tests/support/browser/lost-leave.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// A list that does not move its rows while a person is working in it.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

async function addThree() {
  const { tasks, today } = here;
  const first = await tasks.add('first', { lastDone: addDays(today, -10) });
  const second = await tasks.add('second', { lastDone: addDays(today, -9) });
  const third = await tasks.add('third', { lastDone: addDays(today, -8) });
  return { first, second, third };
}

const order = async (page: Page) =>
  (await page.locator('[data-task] a[href*="task="]').allInnerTexts()).map((name) =>
    name.split(' – ').at(-1),
  );
const change = (page: Page, n: number) => page.getByRole('button', { name: taskMessages.showChanges(n) });

test('the button that shows the changes stays in sight, and clear of the first task', async () => {
  const { first } = await addThree();
  for (const name of ['fourth', 'fifth', 'sixth']) await here.tasks.add(name);
  const tablet = { viewport: { width: 768, height: 560 }, hasTouch: true };
  const page = await here.open('', tablet);
  await live(page);
  await task(page, 'second').getByRole('checkbox').focus();
  await here.tasks.complete(first);
  const button = change(page, 1);
  await button.waitFor();
  const end = async () => {
    const box = await button.boundingBox();
    return (box?.y ?? Number.NaN) + (box?.height ?? 0);
  };
  await page.evaluate(() => scrollTo(0, 0));
  const card = await page.locator('[data-task]').first().boundingBox();
  expect(await end()).toBeLessThanOrEqual(card?.y ?? 0);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
  const header = await page.getByRole('banner').boundingBox();
  expect((await button.boundingBox())?.y).toBeGreaterThanOrEqual(header?.height ?? 0);
});

describe('while the pointer is over the tasks', () => {
  test('what others complete and add moves nothing, until the person asks for it', async () => {
    const { first } = await addThree();
    const page = await here.open();
    await live(page);
    const row = task(page, 'second');
    await row.hover();
    const before = await row.boundingBox();
    await here.tasks.complete(first);
    await task(page, 'first').getByText('Compliant', { exact: true }).waitFor();
    await here.tasks.add('fourth');
    await change(page, 2).waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await order(page)).toEqual(['first', 'second', 'third']);
    await change(page, 2).click();
    await expect.poll(() => order(page)).toEqual(['second', 'third', 'fourth', 'first']);
    expect(await page.getByRole('button', { name: /^Show \d+ change/ }).count()).toBe(0);
  });

  test("one's own completion leaves its row where it is until the pointer goes", async () => {
    const { first } = await addThree();
    const page = await here.open('&status=non-compliant');
    await page.getByRole('button', { name: `Complete ${first.taskNumber}` }).click();
    await task(page, 'first').getByText('Compliant', { exact: true }).waitFor();
    expect(await order(page)).toEqual(['first', 'second', 'third']);
    // The count of changes does not include the person's own changes, only a colleague's.
    await here.tasks.add('fourth');
    await change(page, 1).waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => order(page)).toEqual(['second', 'third', 'fourth']);
  });

  test('a task that another person retires says so, and offers nothing more', async () => {
    const { first } = await addThree();
    const page = await here.open();
    await live(page);
    await task(page, 'first').hover();
    await here.tasks.retire(first);
    await task(page, 'first').getByText('Retired', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: `Complete ${first.taskNumber}` }).count()).toBe(0);
    await withoutPointerLeave(page);
    await page.mouse.move(0, 0);
    await task(page, 'first').waitFor({ state: 'detached' });
  });
});

test('by keyboard the order stays until the focus leaves the list', async () => {
  const { first } = await addThree();
  const page = await here.open();
  await live(page);
  await task(page, 'second').getByRole('link').first().focus();
  await here.tasks.complete(first);
  await change(page, 1).waitFor();
  expect(await order(page)).toEqual(['first', 'second', 'third']);
  await page.keyboard.press('/');
  await expect.poll(() => order(page)).toEqual(['second', 'third', 'first']);
});

test('on a phone a completed task stays under the thumb until another place is touched', async () => {
  const { first } = await addThree();
  const page = await here.open('', PHONE);
  await page.getByRole('button', { name: `Complete ${first.taskNumber}` }).tap();
  await task(page, 'first').getByText('Compliant', { exact: true }).waitFor();
  expect(await order(page)).toEqual(['first', 'second', 'third']);
  await page.getByRole('heading', { level: 1 }).tap();
  await expect.poll(() => order(page)).toEqual(['second', 'third', 'first']);
});
