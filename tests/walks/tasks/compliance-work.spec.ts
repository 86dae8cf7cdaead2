import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { openCompletion, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// Work with many tasks at once, with tasks that checks satisfy, on a phone, and on paper.

const clock = dayClock();

const folder = mkdtempSync(join(tmpdir(), 'lintel-completions-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const setting = setUpWebSetting({ clock, env: { dataDir: folder } });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting, { firstName: 'Ada', lastName: 'Byrne' });
});

describe('a selection', () => {
  test('is reassigned, rescheduled and retired at once, live in another window', async () => {
    const { manager, tasks, today } = here;
    const made = [await tasks.add('first'), await tasks.add('second'), await tasks.add('third')];
    const page = await here.open();
    const watcher = await here.open('', { as: await here.colleague('viewer') });
    await task(page, 'third').waitFor();
    await task(watcher, 'third').waitFor();
    await live(watcher);
    await page.getByRole('checkbox', { name: 'Select all of Fire' }).check();
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.getByText('3 selected').waitFor();
    await page.getByRole('checkbox', { name: `Select ${made[2]?.taskNumber}` }).uncheck();
    await bar.getByText('2 selected').waitFor();

    await bar.getByRole('button', { name: 'Reassign…' }).click();
    await page.getByLabel('Colleague (optional)').selectOption({ label: 'Ada Byrne' });
    expect(await page.getByLabel('Responsible Person').inputValue()).toBe('Ada Byrne');
    await page.getByRole('dialog').getByRole('button', { name: 'Reassign' }).click();
    await page.getByText(taskMessages.reassignedAll(2)).waitFor();
    for (const name of ['first', 'second']) {
      await task(page, name).getByText('(You)').waitFor();
      await task(watcher, name).getByText('Ada Byrne').waitFor();
    }
    expect((await tasks.get(made[0]?.id ?? '')).responsibleId).toBe(manager.id);
    expect(await task(watcher, 'third').getByText('Ada Byrne').count()).toBe(0);

    const select = async (...names: string[]) => {
      for (const name of names) await task(page, name).getByRole('checkbox').check();
    };
    await select('second', 'third');
    await bar.getByRole('button', { name: 'Reschedule…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await dialog.getByText(messages.common.dateInvalid).waitFor();
    await dialog.getByLabel('New due date').fill(addDays(today, 20));
    await dialog.getByRole('button', { name: 'Reschedule' }).click();
    await page.getByText(taskMessages.rescheduledAll(2)).waitFor();
    for (const name of ['second', 'third']) {
      await task(watcher, name)
        .getByText(formatDay(addDays(today, 20)))
        .waitFor();
    }

    await select('first', 'third');
    await bar.getByRole('button', { name: 'Retire…' }).click();
    await page.getByLabel('Reason').fill('The building is sold');
    await page.getByRole('button', { name: 'Retire tasks' }).click();
    await page.getByText(taskMessages.retiredAll(2)).waitFor();
    await task(watcher, 'first').waitFor({ state: 'detached' });
    await expect.poll(() => watcher.locator('[data-task]').count()).toBe(1);
    await bar.waitFor({ state: 'detached' });
  });
});

describe('a task that a check satisfies', () => {
  test('tells its coverage, has no button of its own, and follows the log', async () => {
    const { site, client, tasks } = here;
    const { services } = setting.server;
    const at = { buildingId: site.id, now: clock.now().toISOString() };
    const [basin, sink] = [
      await createAsset(services, { ...at, type: 'water_outlet', name: 'Basin', outletKind: 'cold' }),
      await createAsset(services, { ...at, type: 'water_outlet', name: 'Sink', outletKind: 'cold' }),
    ];
    const { taskNumber } = await tasks.add('temperatures', { check: 'outlet_temperatures' });
    const page = await here.open();
    const row = task(page, 'temperatures');
    await row.getByText('0 of 2').waitFor();
    await row.getByText('By check: Water temperature check').waitFor();
    expect(await row.getByRole('button', { name: /^(Complete|Schedule|Last completed)/ }).count()).toBe(0);
    expect(await row.locator('input[type=date]').count()).toBe(0);
    await page.getByRole('button', { name: `Actions for ${taskNumber}` }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Record and history', 'Retire…']);
    await page.keyboard.press('Escape');
    await live(page);

    const record = (result: 'pass' | 'fail', id: string) =>
      client.checks.record.mutate(
        visitOf('water_temperature_check', {
          ...at,
          entries: [lineOf('water_temperature_check', result, id)],
        }),
      );
    await record('pass', basin.id);
    await row.getByText('1 of 2').waitFor();
    await record('fail', sink.id);
    await row.getByText('2 of 2').waitFor();
    // The period is complete, and the failed check has marked the task.
    await row.getByText('Non-Compliant').waitFor();
    await row.getByText(/Sink failed a check/).waitFor();

    const link = row.getByRole('link', { name: 'Record check' });
    expect(await link.getAttribute('href')).toBe(`/operative-tasks/water-temperature?site=${site.id}`);
    const viewer = await here.open('', { as: await here.colleague('viewer') });
    await task(viewer, 'temperatures').getByText('2 of 2').waitFor();
    expect(await viewer.getByRole('link', { name: 'Record check' }).count()).toBe(0);
    const operative = await here.open('', { as: await here.colleague('operative') });
    await operative.getByRole('link', { name: 'Record check' }).click();
    await operative.getByRole('button', { name: /^Site: Harbour House/ }).waitFor();
  });
});

describe('completing with more', () => {
  test('its day, notes and photos come with the completion, and are seen where the task is edited', async () => {
    const { client, tasks, today } = here;
    const { id, taskNumber } = await tasks.add('Examination', { frequency: 'biannually' });
    const page = await here.open();
    const dialog = await openCompletion(page, taskNumber);
    await dialog.getByLabel('Completed on').fill(addDays(today, -1));
    await dialog.getByLabel('Notes').fill('Ropes replaced');
    await dialog
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'rope.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await tasks.get(id)).completedOn).toBe(addDays(today, -1));
    const { data } = await client.tasks.record.query({ id });
    expect(data.filter(({ kind }) => kind === 'completed')).toMatchObject([{ notes: 'Ropes replaced' }]);
    await page.goto(`/edit-task/${id}`);
    const photos = page.getByRole('button', { name: /^Photo of/ });
    await expect.poll(() => photos.count()).toBe(1);
    // More photos can be added there.
    await page
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'cabin.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await expect.poll(() => photos.count()).toBe(2);
  });
});

describe('on a phone', () => {
  test('without a connection a completion is kept, shown, and sent later', async () => {
    const { client, tasks, today } = here;
    const made = await tasks.add('weekly test', { lastDone: addDays(today, -10) });
    const page = await here.open('', PHONE);
    await task(page, 'weekly test').waitFor();
    await live(page);
    await loseConnection(page, ['toaster', 'offline-instance']);
    await page.getByRole('button', { name: `Complete ${made.taskNumber}` }).click();
    await page.getByText(taskMessages.completionKept).waitFor();
    await page.getByRole('link', { name: offlineMessages.waiting(1) }).waitFor();
    await task(page, 'weekly test').getByText('Compliant', { exact: true }).waitFor();
    expect((await tasks.get(made.id)).version).toBe(made.version);
    await page.context().setOffline(false);
    await page.getByText(taskMessages.completed, { exact: true }).waitFor();
    const { data } = await client.tasks.record.query({ id: made.id });
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'completed']);
    await task(page, 'weekly test').getByText('Compliant', { exact: true }).waitFor();
  });
});
