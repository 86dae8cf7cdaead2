import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, addMonths, dayOf, formatDay } from '#shared/dates.ts';
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
const complete = ({ id, occurrence }: Task, day: string) =>
  client.tasks.complete.mutate({ operationId: uuidv7(), id, occurrence, day });

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
  test('a task that goes by its certificate asks for the date on it', async () => {
    const stated = await add('P60M/stated');
    const page = await list();
    const dialog = await openDialog(page, stated);
    await submit(dialog);
    await dialog.getByText(taskMessages.statedRequired).waitFor();
    await dialog.getByLabel('Date on the certificate').fill(addMonths(TODAY, 30));
    await submit(dialog);
    await expect.poll(async () => (await get(stated.id)).due).toBe(addMonths(TODAY, 30));
  });

  test('a task that was completed meanwhile is asked about, in the dialog too', async () => {
    const page = await list();
    const dialog = await openDialog(page, examination);
    await complete(examination, addDays(TODAY, -3));
    await submit(dialog);
    const question = page.getByRole('dialog', { name: `Complete ${examination.taskNumber}?` });
    await question.getByText(formatDay(addDays(TODAY, -3))).waitFor();
    await question.getByRole('button', { name: taskMessages.completeAnyway(formatDay(TODAY)) }).click();
    await expect.poll(async () => (await get(examination.id)).completedOn).toBe(TODAY);
    await dialog.waitFor({ state: 'detached' });
    expect(await completions(examination.id)).toHaveLength(2);
  });

  test('left as it is, nothing is stored', async () => {
    const page = await list();
    const dialog = await openDialog(page, examination);
    await complete(examination, addDays(TODAY, -3));
    await submit(dialog);
    await page.getByRole('button', { name: taskMessages.leaveAsIs }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await completions(examination.id)).toHaveLength(1);
  });
});

describe('completing without a connection', () => {
  const press = (page: Page) =>
    page.getByRole('button', { name: `Complete ${examination.taskNumber}` }).click();

  test('a refused one goes back, and is decided on the Sync page with what is there now', async () => {
    const page = await list();
    await loseConnection(page, ['offline-instance']);
    await press(page);
    await page.getByRole('link', { name: offlineMessages.waiting(1) }).waitFor();
    await complete(examination, addDays(TODAY, -3));
    await page.context().setOffline(false);
    await page.getByRole('link', { name: offlineMessages.needAttention(1) }).waitFor();
    await task(page, 'Examination')
      .getByText(formatDay(addDays(TODAY, -3)))
      .waitFor();
    await page.goto('/sync');
    await page.getByRole('link', { name: /^Edit: / }).click();
    const dialog = page.getByRole('dialog', { name: taskMessages.completionTitle });
    await dialog.getByText(taskMessages.changedSince).waitFor();
    await submit(dialog);
    await expect.poll(async () => (await get(examination.id)).completedOn).toBe(TODAY);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(offlineMessages.nothing).waitFor();
  });

  test("the list is this device's copy with its age, and a task of it can be edited", async () => {
    const page = await list();
    // A network that swallows everything but the app itself.
    await page.route('**/trpc/**', (route) => route.abort());
    await page.reload();
    await page.getByText(/^Saved on this computer/).waitFor();
    await task(page, 'Examination').waitFor();
    await page.getByRole('link', { name: `Edit ${examination.taskNumber}` }).click();
    await page.getByText(/^Saved on this computer/).waitFor();
    expect(await page.getByLabel('Task Description').inputValue()).toBe('Examination biannually');
  });
});
