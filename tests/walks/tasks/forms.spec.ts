import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tasks } from '#db/schema/tasks.ts';
import { addDays, addMonths, dayOf } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { offlineMessages } from '#shared/offline-messages.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

const clock = dayClock();
const TODAY = dayOf(clock.now());

let setting: WebSetting;
let harbour: TestBuilding;
let manager: TestPerson;
let api: TestClient;

beforeAll(async () => {
  setting = await createWebSetting({ clock });
});
beforeEach(async () => {
  const { server } = setting;
  harbour = await createBuilding(server.services, { name: 'Harbour House' });
  manager = await createPerson(server.services, { role: 'manager', buildings: [harbour.id] });
  api = createTestClient(server.url, await signInAs(server, manager));
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

type Created = Parameters<TestClient['tasks']['create']['mutate']>[0];
async function add(values: Partial<Created> = {}): Promise<Task> {
  const { id } = await api.tasks.create.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: harbour.id,
    complianceSystem: 'Lifts',
    taskDescription: 'Thorough examination',
    frequency: 'biannually',
    ...values,
  });
  return get(id);
}
const get = async (id: string) => (await api.tasks.get.query({ id })).data;
const stored = () => setting.server.services.db.select().from(tasks).where(eq(tasks.buildingId, harbour.id));

async function atHarbour(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Location: / }).click();
  await page.getByRole('option', { name: 'Harbour House' }).click();
}
const toast = (page: Page, title: string) =>
  page.getByRole('region', { name: /Notifications/ }).getByText(title, { exact: true });

/** Fills the required fields of a new task. */
async function fill(page: Page, description: string): Promise<void> {
  await atHarbour(page);
  await page.getByLabel('Compliance System').fill('Fire Alarm');
  await page.getByLabel('Task Description').fill(description);
  await page.getByLabel('Frequency').selectOption('Quarterly');
}

describe('adding a task', () => {
  test('previews the number, takes the next inside the transaction, and lands on the dashboard with a way back', async () => {
    const page = await setting.open(manager, '/add-task');
    await atHarbour(page);
    await page.getByText(`${harbour.code}-T0001`).waitFor();
    // A colleague is faster.
    await add();
    await page.getByLabel('Compliance System').fill('Fire Alarm');
    await page.getByLabel('Task Description').fill('Service of the panel');
    await page.getByLabel('Frequency').selectOption('Quarterly');
    await page.getByLabel('Responsible Person').fill('Alpha Alarms');
    await page.getByLabel('Last done (optional)').fill(addDays(TODAY, -10));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    await toast(page, 'Task added').waitFor();
    await toast(page, `${harbour.code}-T0002`).waitFor();
    const [made] = (await stored()).filter(({ taskNumber }) => taskNumber.endsWith('2'));
    expect(made).toMatchObject({
      complianceSystem: 'Fire Alarm',
      taskDescription: 'Service of the panel',
      frequency: 'quarterly',
      responsiblePerson: 'Alpha Alarms',
      completedOn: addDays(TODAY, -10),
      due: addMonths(addDays(TODAY, -10), 3),
    });
    await page.getByRole('button', { name: 'View' }).click();
    await page.waitForURL(`**/compliance-details?building=${harbour.id}&task=${made?.id}`);
  });

  test('says at each field what is missing, and stores nothing', async () => {
    const page = await setting.open(manager, '/add-task');
    await page.getByRole('button', { name: 'Add Task' }).click();
    for (const sentence of [
      taskMessages.locationRequired,
      taskMessages.systemRequired,
      taskMessages.descriptionRequired,
      taskMessages.frequencyRequired,
    ]) {
      await page.getByText(sentence, { exact: true }).waitFor();
    }
    await fill(page, 'Never done');
    await page.getByLabel('Last done (optional)').fill(addDays(TODAY, 1));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByText(taskMessages.completionFuture).waitFor();
    await page.getByLabel('Last done (optional)').fill('1900-01-01');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByText(taskMessages.completionTooOld).waitFor();
    expect(await stored()).toEqual([]);
  });

  test('a colleague can be made responsible, and a safety check can complete it instead of a person', async () => {
    const colleague = await createPerson(setting.server.services, {
      role: 'operative',
      buildings: [harbour.id],
      firstName: 'Olu',
      lastName: 'Adeyemi',
    });
    const page = await setting.open(manager, `/add-task?building=${harbour.id}`);
    await page.getByLabel('Compliance System').fill('Fire Alarm');
    await page.getByLabel('Task Description').fill('Weekly test');
    await page.getByLabel('Completed by').selectOption('Safety check: Fire alarm test');
    expect(await page.getByLabel('Frequency').isDisabled()).toBe(true);
    expect(await page.getByLabel('Last done (optional)').count()).toBe(0);
    await page.getByLabel('Colleague (optional)').selectOption('Olu Adeyemi');
    expect(await page.getByLabel('Responsible Person').inputValue()).toBe('Olu Adeyemi');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    expect(await stored()).toMatchObject([
      { check: 'alarm_test', frequency: 'weekly', responsibleId: colleague.id },
    ]);
    // A building has each check once.
    await page.goto(`/add-task?building=${harbour.id}`);
    await page.getByLabel('Compliance System').fill('Fire Alarm');
    await page.getByLabel('Task Description').fill('The same again');
    await page.getByLabel('Completed by').selectOption('Safety check: Fire alarm test');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByText(taskMessages.duplicateInUse).waitFor();
    expect(await stored()).toHaveLength(1);
  });

  test.each(['operative', 'viewer'] as const)('is not for a %s', async (role) => {
    const person = await createPerson(setting.server.services, { role, buildings: [harbour.id] });
    for (const path of ['/add-task', '/edit-task', `/edit-task/${uuidv7()}`]) {
      const page = await setting.open(person, path);
      await page.waitForURL('**/dashboard');
      await page.getByText("You don't have permission to access this feature.").first().waitFor();
    }
  });
});

describe('editing a task', () => {
  test('needs an id, of a task that one may see; otherwise it says so, with a way back', async () => {
    const elsewhere = await createBuilding(setting.server.services, { name: 'Elsewhere' });
    const admin = await createPerson(setting.server.services, { role: 'admin' });
    const asAdmin = createTestClient(setting.server.url, await signInAs(setting.server, admin));
    const { id: hidden } = await asAdmin.tasks.create.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      buildingId: elsewhere.id,
      complianceSystem: 'Lifts',
      taskDescription: 'Hidden',
      frequency: 'weekly',
    });
    const page = await setting.window(manager);
    for (const [path, sentence] of [
      ['/edit-task', 'No task ID provided'],
      ['/edit-task/abc', 'Task with ID abc not found'],
      [`/edit-task/${hidden}`, `Task with ID ${hidden} not found`],
      [`/edit-task/${(await add()).id}`, undefined],
    ] as const) {
      if (sentence === undefined) await page.route('**/trpc/tasks.get**', refuseWith('internal'));
      await page.goto(path);
      await page.getByText(sentence ?? 'Error fetching task details', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Back to Dashboard' }).click();
      await page.waitForURL('**/dashboard');
    }
  });

  test('says that it loads, sends changed fields only, and lands on the dashboard with a way back', async () => {
    const task = await add({ responsiblePerson: 'Alpha' });
    const page = await setting.window(manager);
    let go: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/trpc/tasks.get**', async (route) => {
      await gone;
      await route.continue();
    });
    await page.goto(`/edit-task/${task.id}`);
    await page.getByText('Loading task data...', { exact: true }).waitFor();
    go();
    expect(await page.getByLabel('Location').getAttribute('readonly')).not.toBeNull();
    await page.getByLabel('Task Description').fill('Thorough examination by Beta');
    // Meanwhile a colleague changes another field.
    await api.tasks.update.mutate({
      operationId: uuidv7(),
      id: task.id,
      changes: { responsiblePerson: { from: 'Alpha', to: 'Beta' } },
    });
    await expect.poll(() => page.getByLabel('Responsible Person').inputValue()).toBe('Beta');
    await page.getByRole('button', { name: 'Save Task' }).click();
    await page.waitForURL('**/dashboard');
    await toast(page, 'Task updated').waitFor();
    expect(await get(task.id)).toMatchObject({
      taskDescription: 'Thorough examination by Beta',
      responsiblePerson: 'Beta',
      frequency: 'biannually',
    });
    await page.getByRole('button', { name: 'View' }).click();
    await page.waitForURL(`**/compliance-details?building=${harbour.id}&task=${task.id}`);
  });

  test('what another person saved in the same field is asked about', async () => {
    const task = await add();
    const page = await setting.open(manager, `/edit-task/${task.id}`);
    await page.getByLabel('Task Description').fill('Mine');
    await api.tasks.update.mutate({
      operationId: uuidv7(),
      id: task.id,
      changes: { taskDescription: { from: task.taskDescription, to: 'Theirs' } },
    });
    await page.getByText('“Theirs”').waitFor();
    await page.getByRole('button', { name: 'Save Task' }).click();
    await page.getByRole('button', { name: /Keep/ }).click();
    await page.getByRole('button', { name: 'Save Task' }).click();
    await page.waitForURL('**/dashboard');
    expect((await get(task.id)).taskDescription).toBe('Mine');
  });
});

describe('without a connection', () => {
  /** Opens a phone at a page that has loaded what it needs, and takes the connection away. */
  async function offlineAt(path: string, ready: (page: Page) => Promise<void>): Promise<Page> {
    const page = await setting.open(manager, path, PHONE);
    await ready(page);
    await page.locator('[data-live=live]').waitFor();
    await loseConnection(page);
    return page;
  }

  test('a new task waits on the phone, and gets its number when it is received', async () => {
    const page = await offlineAt('/add-task', (opened) => fill(opened, 'Written in the plant room'));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    await toast(page, offlineMessages.states.saved).waitFor();
    await page.getByText(taskMessages.taskKept).waitFor();
    expect(await stored()).toEqual([]);
    await page.context().setOffline(false);
    await toast(page, 'Task added').waitFor();
    await toast(page, `${harbour.code}-T0001`).waitFor();
    expect(await stored()).toMatchObject([{ taskDescription: 'Written in the plant room' }]);
  });
});
