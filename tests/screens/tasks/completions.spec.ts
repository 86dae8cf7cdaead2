import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { choose, openCompletion, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;
let today: string;
let examination: Task;

beforeEach(async () => {
  here = await createTasksSite(setting);
  ({ today } = here);
  examination = await here.tasks.add('Examination', { frequency: 'biannually' });
});

const get = () => here.tasks.get(examination.id);

async function list(): Promise<Page> {
  const page = await here.open();
  await task(page, 'Examination').waitFor();
  await live(page);
  return page;
}
const submit = (on: Pick<Page, 'getByRole'>) =>
  on.getByRole('button', { name: 'Complete', exact: true }).click();

describe('completing with evidence', () => {
  test('a task that was completed meanwhile is asked about, in the dialog too', async () => {
    const page = await list();
    const dialog = await openCompletion(page, examination.taskNumber);
    await here.tasks.complete(examination, addDays(today, -3));
    await submit(dialog);
    const question = page.getByRole('dialog', { name: `Complete ${examination.taskNumber}?` });
    await question.getByText(formatDay(addDays(today, -3))).waitFor();
    await question.getByRole('button', { name: taskMessages.completeAnyway(formatDay(today)) }).click();
    await expect.poll(async () => (await get()).completedOn).toBe(today);
    await dialog.waitFor({ state: 'detached' });
    const { data } = await here.client.tasks.record.query({ id: examination.id });
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'completed', 'completed']);
  });
});

describe('completing with a photo, which is queued and judged later', () => {
  test('is refused in the dialog for what the server would refuse', async () => {
    const { add, complete } = here.tasks;
    const report = await add('Report', { frequency: 'P60M/stated', lastDone: addDays(today, -900) });
    await complete(examination, addDays(today, -3));
    const page = await list();
    for (const { taskNumber, day, refusal } of [
      { ...report, day: today, refusal: taskMessages.statedRequired },
      {
        ...examination,
        day: addDays(today, -4),
        refusal: taskMessages.completedLater(formatDay(addDays(today, -3))),
      },
    ]) {
      await choose(page, taskNumber, /^Complete/);
      const dialog = page.getByRole('dialog', { name: taskMessages.completionTitle });
      await dialog.getByLabel('Completed on').fill(day);
      await dialog
        .getByLabel(/^Choose photos of/)
        .setInputFiles({ name: 'seal.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
      await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
      await submit(dialog);
      await dialog.getByText(refusal).waitFor();
      expect(await page.getByText(offlineMessages.sendingWith(1)).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

describe('the answer to a completion', () => {
  test('takes the place of "Sending with 1 photo…", and undoes it while it stands', async () => {
    const page = await list();
    const toasts = page.locator('#toasts [data-tone]');
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/trpc\/tasks\.complete/, async (route) => {
      await asked;
      await route.continue();
    });
    const dialog = await openCompletion(page, examination.taskNumber);
    await dialog
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'seal.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
    await submit(dialog);
    const sending = toasts.filter({ hasText: offlineMessages.sendingWith(1) });
    // A toast under the pointer does not disappear by itself.
    await sending.hover();
    expect(await sending.getAttribute('data-tone')).toBe('info');
    answer();
    const completed = toasts.filter({ hasText: taskMessages.completed });
    await completed.waitFor();
    await sending.waitFor({ state: 'detached' });
    await completed.getByRole('button', { name: 'Undo…' }).click();
    await undo(page);
    await expect.poll(async () => (await get()).completedOn).toBeNull();
  });

  test('undoes it from another page, too', async () => {
    const page = await list();
    await page.getByRole('button', { name: `Complete ${examination.taskNumber}` }).click();
    const completed = page.locator('#toasts').getByRole('status').filter({ hasText: taskMessages.completed });
    await completed.waitFor();
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.waitForURL('**/dashboard');
    await completed.getByRole('button', { name: 'Undo…' }).click();
    await undo(page);
    await expect.poll(async () => (await get()).completedOn).toBeNull();
  });

  async function undo(page: Page) {
    const dialog = page.getByRole('dialog', { name: 'Undo the completion' });
    await dialog.getByLabel('Reason').fill('Pressed the wrong one');
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
});

describe('completing without a connection', () => {
  const press = (page: Page) =>
    page.getByRole('button', { name: `Complete ${examination.taskNumber}` }).click();

  test('a refused one goes back, and is decided on the Sync page with what is there now', async () => {
    const page = await list();
    await loseConnection(page, ['offline-instance']);
    await press(page);
    await page.getByRole('link', { name: offlineMessages.waiting(1) }).waitFor();
    await here.tasks.complete(examination, addDays(today, -3));
    await page.context().setOffline(false);
    await page.getByRole('link', { name: offlineMessages.needAttention(1) }).waitFor();
    await task(page, 'Examination')
      .getByText(formatDay(addDays(today, -3)))
      .waitFor();
    await page.goto('/sync');
    await page.getByRole('link', { name: /^Edit: / }).click();
    const dialog = page.getByRole('dialog', { name: taskMessages.completionTitle });
    await dialog.getByText(taskMessages.changedSince).waitFor();
    await submit(dialog);
    await expect.poll(async () => (await get()).completedOn).toBe(today);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(offlineMessages.nothing).waitFor();
  });

  test("the list is this device's copy with its age, and a task of it can be edited", async () => {
    const page = await list();
    // A network on which all calls fail; only the app itself loads.
    await page.route('**/trpc/**', (route) => route.abort());
    await page.reload();
    await page.getByText(/^Saved on this computer/).waitFor();
    await task(page, 'Examination').waitFor();
    await page.getByRole('link', { name: `Edit ${examination.taskNumber}` }).click();
    await page.getByText(/^Saved on this computer/).waitFor();
    expect(await page.getByLabel('Task Description').inputValue()).toBe('Examination');
  });
});
