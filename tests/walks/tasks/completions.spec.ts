import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, dayOf } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, choose, task } from '#tests/support/screens/tasks-screen.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();
const TODAY = dayOf(clock.now());

let setting: WebSetting;
let folder: string;
let site: TestBuilding;
let manager: TestPerson;
let client: TestClient;
let examination: Task;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-completions-'));
  setting = await createWebSetting({ clock, env: { dataDir: folder } });
});
beforeEach(async () => {
  const { server } = setting;
  site = await createBuilding(server.services, { name: 'Harbour House' });
  manager = await createPerson(server.services, { role: 'manager', buildings: [site.id] });
  client = createTestClient(server.url, await signInAs(server, manager));
  examination = await add();
});
afterEach(() => setting.closeWindows());
afterAll(async () => {
  await setting.end();
  await rm(folder, { recursive: true, force: true });
});

async function add(frequency = 'biannually'): Promise<Task> {
  const { id } = await client.tasks.create.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: site.id,
    complianceSystem: 'Lifts',
    taskDescription: `Examination ${frequency}`,
    frequency,
  });
  return get(id);
}
const get = async (id: string) => (await client.tasks.get.query({ id })).data;
const completions = async (id: string) =>
  (await client.tasks.record.query({ id })).data.filter(({ kind }) => kind === 'completed');

async function list(): Promise<Page> {
  const page = await setting.open(manager, `${COMPLIANCE}?building=${site.id}`);
  await task(page, 'Examination biannually').waitFor();
  await live(page);
  return page;
}
/** Opens the dialog from the row's menu. */
async function openDialog(page: Page, of: Task) {
  await choose(page, of.taskNumber, 'Complete with notes or photos…');
  const dialog = page.getByRole('dialog', { name: taskMessages.completionTitle });
  await dialog.getByLabel('Completed on').waitFor();
  return dialog;
}
const submit = (on: Pick<Page, 'getByRole'>) =>
  on.getByRole('button', { name: 'Complete', exact: true }).click();

describe('completing with evidence', () => {
  test('a day that cannot be is refused at the field (case 8); notes and photos come with the completion', async () => {
    const page = await list();
    const dialog = await openDialog(page, examination);
    for (const [day, sentence] of [
      [addDays(TODAY, 1), taskMessages.completionFuture],
      ['1900-01-01', taskMessages.completionTooOld],
    ] as const) {
      await dialog.getByLabel('Completed on').fill(day);
      await submit(dialog);
      await dialog.getByText(sentence).waitFor();
    }
    await dialog.getByLabel('Completed on').fill(addDays(TODAY, -1));
    await dialog.getByLabel('Notes').fill('Ropes replaced');
    await dialog
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'rope.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
    await submit(dialog);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await get(examination.id)).completedOn).toBe(addDays(TODAY, -1));
    const { completionId } = await get(examination.id);
    expect(await completions(examination.id)).toMatchObject([{ id: completionId, notes: 'Ropes replaced' }]);
    // Seen where the task is edited, and more can be added there.
    await page.goto(`/edit-task/${examination.id}`);
    const photos = page.getByRole('button', { name: /^Photo of/ });
    await expect.poll(() => photos.count()).toBe(1);
    await page
      .getByLabel(/^Choose photos of/)
      .setInputFiles({ name: 'cabin.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) });
    await expect.poll(() => photos.count()).toBe(2);
  });
});

describe('completing without a connection', () => {
  const press = (page: Page) =>
    page.getByRole('button', { name: `Complete ${examination.taskNumber}` }).click();

  test('shows at once, waits on the device, and arrives once', async () => {
    const page = await list();
    await loseConnection(page, ['offline-instance']);
    await press(page);
    await page.getByRole('link', { name: offlineMessages.waiting(1) }).waitFor();
    await task(page, 'Examination').getByText('Compliant', { exact: true }).waitFor();
    expect(await completions(examination.id)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText(taskMessages.completed, { exact: true }).waitFor();
    expect(await completions(examination.id)).toHaveLength(1);
    await task(page, 'Examination').getByText('Compliant', { exact: true }).waitFor();
  });
});
