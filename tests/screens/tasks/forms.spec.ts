import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { settings } from '#db/schema/issues.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { taskLines, tasks } from '#db/schema/tasks.ts';
import { addDays, DEFAULT_TIME_ZONE, dayOf } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { fillTask, toastWith } from '#tests/support/screens/task-form.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { refuseWith } from '#tests/support/server/refusals.ts';

const clock = dayClock();
const TODAY = dayOf(clock.now());

const setting = setUpWebSetting({ clock });
let here: TasksSite;
let harbour: TestBuilding;
let manager: TestPerson;
let api: TestClient;

beforeEach(async () => {
  here = await createTasksSite(setting);
  ({ site: harbour, manager, client: api } = here);
});

const add = (values: Parameters<TasksSite['tasks']['add']>[1] = {}) =>
  here.tasks.add('Thorough examination', { complianceSystem: 'Lifts', frequency: 'biannually', ...values });
const stored = () => setting.server.services.db.select().from(tasks).where(eq(tasks.buildingId, harbour.id));
const linesOf = (taskId: string) =>
  setting.server.services.db.select().from(taskLines).where(eq(taskLines.taskId, taskId));

describe('adding a task', () => {
  test('without any location there is none to add it to: an administrator can add one', async () => {
    const { services } = setting.server;
    const nowhere = await createPerson(services, { role: 'manager', buildings: [] });
    const page = await setting.open(nowhere, '/add-task');
    await page.getByText('No buildings found', { exact: true }).waitFor();
    await page.getByText(taskMessages.askAdministrator).waitFor();
    expect(await page.getByRole('link', { name: 'Add Building' }).count()).toBe(0);

    const admin = await createPerson(services, { role: 'admin' });
    const other = await setting.window(admin);
    // An empty answer: tests share their database, and an administrator sees all of its buildings.
    await other.route('**/trpc/**', async (route) => {
      const at =
        new URL(route.request().url()).pathname.split('/').at(-1)?.split(',').indexOf('locations.mine') ?? -1;
      if (at === -1) return route.continue();
      const json = (await (await route.fetch()).json()) as { result: { data: { data: unknown } } }[];
      const answer = json[at];
      if (answer !== undefined) answer.result.data.data = [];
      await route.fulfill({ json });
    });
    await other.goto('/add-task');
    await other.getByText('No buildings found', { exact: true }).waitFor();
    await other.getByRole('link', { name: 'Add Building' }).click();
    await other.waitForURL('**/add-building');
  });

  test('takes any interval, a weekday of the month, and the date of a certificate that came with it', async () => {
    const page = await setting.open(manager, `/add-task?building=${harbour.id}`);
    await page.getByLabel('Compliance System').fill('Sirens');
    await page.getByLabel('Task Description').fill('First Monday');
    await page.getByLabel('Frequency').selectOption('Other…');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByText(/^Enter a number from 1 to/).waitFor();
    await page.getByLabel('Unit').selectOption('days');
    await page.getByLabel('Every').fill('10');
    await page.getByText('Every 10 days', { exact: true }).last().waitFor();
    await page.getByLabel('Unit').selectOption('months');
    await page.getByLabel('Every').fill('1');
    await page.getByLabel('Next due date').selectOption('Fixed weekday of the month');
    await page.getByLabel('Weekday').selectOption('Monday');
    await page.getByText('First Monday of the month').waitFor();
    await page.getByLabel('Next due date').selectOption('The date on the certificate');
    await page.getByLabel('Last done (optional)').fill(addDays(TODAY, -30));
    await page.getByLabel('Date on the certificate').fill(addDays(TODAY, 500));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    expect(await stored()).toMatchObject([{ frequency: 'P1M/stated', due: addDays(TODAY, 500) }]);
  });

  test('keeps what was typed over a reload, and starts again when asked', async () => {
    const page = await setting.open(manager, '/add-task', PHONE);
    await fillTask(page, 'Typed before the phone locked');
    await expect.poll(() => page.getByLabel('Responsible Person').isEnabled()).toBe(true);
    await page.getByLabel('Responsible Person').fill('Kit');
    await page.reload();
    await page.getByText(/^What you typed at/).waitFor();
    expect(await page.getByLabel('Task Description').inputValue()).toBe('Typed before the phone locked');
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect.poll(() => page.getByLabel('Task Description').inputValue()).toBe('');
    await fillTask(page, 'Typed again');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    expect((await stored()).map(({ taskDescription }) => taskDescription)).toEqual(['Typed again']);
    await page.goto('/add-task');
    await page.getByLabel('Task Description').waitFor();
    expect(await page.getByLabel('Task Description').inputValue()).toBe('');
  });

  test('a failure is an error toast, and what was typed stays', async () => {
    const page = await setting.open(manager, '/add-task');
    await fillTask(page, 'Refused');
    await page.route('**/trpc/tasks.create**', refuseWith('internal'));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await toastWith(page, 'Error').waitFor();
    await page.getByText('There was an error adding the task. Please try again.').waitFor();
    expect(await page.getByLabel('Task Description').inputValue()).toBe('Refused');
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
});

test("days are the organisation's, wherever the browser is, and without an answer", async () => {
  const { db } = setting.server.services;
  // At any moment, the day in one of these two zones differs from the day in London.
  const zone =
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find(
      (name) => dayOf(clock.now(), name) !== dayOf(clock.now()),
    ) ?? '';
  await db.update(settings).set({ timeZone: zone });
  try {
    const page = await setting.open(manager, '/add-task');
    const today = () => page.getByLabel('Last done (optional)').getAttribute('max');
    await expect.poll(today).toBe(dayOf(clock.now(), zone));
    await page.route('**/trpc/session.me**', () => undefined);
    await page.reload();
    await expect.poll(today).toBe(dayOf(clock.now(), zone));
  } finally {
    await db.update(settings).set({ timeZone: DEFAULT_TIME_ZONE });
  }
});

test('Add Task is in sight without scrolling, and a missing location is marked as the other fields are', async () => {
  for (const options of [PHONE, { viewport: { width: 1280, height: 700 } }]) {
    const page = await setting.open(manager, '/add-task', options);
    const add = page.getByRole('button', { name: 'Add Task', exact: true });
    await add.waitFor();
    const box = await add.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(options.viewport.height);
    await add.click();
    await page.getByText(taskMessages.locationRequired).waitFor();
    const borders = [page.getByRole('button', { name: /^Location: / }), page.getByLabel('Compliance System')];
    const [location, system] = await Promise.all(
      borders.map((one) => one.evaluate((it) => getComputedStyle(it).borderTopColor)),
    );
    expect(location).toBe(system);
  }
});

describe('editing a task', () => {
  test('a refusal is "Update failed", what is no answer an error', async () => {
    const task = await add();
    const page = await setting.open(manager, `/edit-task/${task.id}`);
    await page.getByLabel('Frequency').selectOption('Monthly');
    await page.route('**/trpc/tasks.update**', refuseWith('not_found'));
    await page.getByRole('button', { name: 'Save Task' }).click();
    await toastWith(page, 'Update failed').waitFor();
    await page.getByText(/^Could not update task\. Please try again\./).waitFor();
    await page.unroute('**/trpc/tasks.update**');
    await page.route('**/trpc/tasks.update**', refuseWith('internal'));
    await page.getByRole('button', { name: 'Save Task' }).click();
    await toastWith(page, 'Error').waitFor();
    expect((await here.tasks.get(task.id)).frequency).toBe('biannually');
  });

  test('asks before unsaved changes are left, and has them after a crash of the page', async () => {
    const task = await add();
    const page = await setting.open(manager, `/edit-task/${task.id}`);
    await page.getByLabel('Task Description').fill('Not saved yet');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const question = page.getByRole('dialog', { name: taskMessages.leaveTitle });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await page.reload();
    await expect.poll(() => page.getByLabel('Task Description').inputValue()).toBe('Not saved yet');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave anyway' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto(`/edit-task/${task.id}`);
    await expect.poll(() => page.getByLabel('Task Description').inputValue()).toBe(task.taskDescription);
  });

  test('a retired task is shown, and not changed', async () => {
    const task = await add();
    await api.tasks.retire.mutate({ operationId: uuidv7(), id: task.id, reason: 'Sold' });
    const page = await setting.open(manager, `/edit-task/${task.id}`);
    await page.getByText(taskMessages.retired).waitFor();
    // A value that cannot be changed is not a field.
    await page.getByText('Task Number', { exact: true }).waitFor();
    for (const name of ['Task Number', 'Location']) expect(await page.getByLabel(name).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save Task' }).isDisabled()).toBe(true);
  });

  test('the access that is lost while it is open is a task that is not there', async () => {
    const task = await add();
    const page = await setting.open(manager, `/edit-task/${task.id}`);
    await page.getByLabel('Task Description').waitFor();
    const admin = await createPerson(setting.server.services, { role: 'admin' });
    const asAdmin = createTestClient(setting.server.url, await signInAs(setting.server, admin));
    await asAdmin.users.revoke.mutate({
      operationId: uuidv7(),
      userId: manager.id,
      buildingId: harbour.id,
    });
    await page.getByText(`Task with ID ${task.id} not found`, { exact: true }).waitFor();
  });

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
      if (sentence === undefined) await page.route(/trpc\/[^?]*tasks\.get/, refuseWith('internal'));
      await page.goto(path);
      await page.getByText(sentence ?? 'Error fetching task details', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Back to Dashboard' }).click();
      await page.waitForURL('**/dashboard');
    }
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
    expect((await here.tasks.get(task.id)).taskDescription).toBe('Mine');
  });
});

describe('without a connection', () => {
  /** Opens a page on a phone, waits until it has loaded everything that it needs, and takes the connection away. */
  async function offlineAt(path: string, ready: (page: Page) => Promise<void>): Promise<Page> {
    const page = await setting.open(manager, path, PHONE);
    await ready(page);
    await page.locator('[data-live=live]').waitFor();
    await loseConnection(page);
    return page;
  }

  test('a refused one is corrected in its form, and replaces the first', async () => {
    const page = await offlineAt('/add-task', (opened) => fillTask(opened, 'Refused at first'));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.getByText(taskMessages.taskKept).waitFor();
    const { db } = setting.server.services;
    await db.delete(userLocationAccess).where(eq(userLocationAccess.userId, manager.id));
    await page.context().setOffline(false);
    await page.getByRole('link', { name: offlineMessages.needAttention(1) }).waitFor();
    await page.goto('/sync');
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Refused at first' });
    await item.getByText(messages.common.notFound).waitFor();
    await db
      .insert(userLocationAccess)
      .values({ userId: manager.id, buildingId: harbour.id, grantedAt: clock.now().toISOString() });
    await item.getByRole('link', { name: /^Edit: / }).click();
    await page.getByText(offlineMessages.editing).waitFor();
    await page.getByLabel('Task Description').fill('Accepted now');
    await page.getByRole('button', { name: 'Add Task' }).click();
    await expect
      .poll(async () => (await stored()).map((task) => task.taskDescription))
      .toEqual(['Accepted now']);
    await page.goto('/sync');
    await page.getByText(offlineMessages.nothing).waitFor();
  });

  test('two edits of one task wait behind each other, and both arrive', async () => {
    const task = await add();
    const page = await offlineAt(`/edit-task/${task.id}`, (opened) =>
      opened.getByLabel('Task Description').waitFor(),
    );
    for (const description of ['First change', 'Second change']) {
      await page.getByLabel('Task Description').fill(description);
      await page.getByRole('button', { name: 'Save Task' }).click();
      await page.waitForURL('**/dashboard');
      await page.goBack();
      // A waiting change is shown as if it were saved.
      await expect.poll(() => page.getByLabel('Task Description').inputValue()).toBe(description);
    }
    expect((await here.tasks.get(task.id)).taskDescription).toBe('Thorough examination');
    await page.context().setOffline(false);
    await expect.poll(async () => (await here.tasks.get(task.id)).taskDescription).toBe('Second change');
    await page.goto('/sync');
    await page.getByText(offlineMessages.nothing).waitFor();
  });

  test('a refused edit asks in its form about what another person saved', async () => {
    const task = await add();
    const page = await offlineAt(`/edit-task/${task.id}`, async (opened) => {
      await opened.getByLabel('Task Description').fill('Mine, offline');
    });
    await page.getByRole('button', { name: 'Save Task' }).click();
    await page.getByText(taskMessages.updateKept).waitFor();
    await api.tasks.update.mutate({
      operationId: uuidv7(),
      id: task.id,
      changes: { taskDescription: { from: task.taskDescription, to: 'Theirs, online' } },
    });
    await page.context().setOffline(false);
    await page.getByRole('link', { name: offlineMessages.needAttention(1) }).waitFor();
    await page.goto('/sync');
    await page.getByRole('link', { name: /^Edit: / }).click();
    await page.getByText('“Theirs, online”').waitFor();
    expect(await page.getByLabel('Task Description').inputValue()).toBe('Mine, offline');
    await page.getByRole('button', { name: /Keep/ }).click();
    await page.getByRole('button', { name: 'Save Task' }).click();
    await expect.poll(async () => (await here.tasks.get(task.id)).taskDescription).toBe('Mine, offline');
    expect(await linesOf(task.id)).toHaveLength(1);
  });

  test('a new task waits on the phone, and gets its number when it is received', async () => {
    const page = await offlineAt('/add-task', (opened) => fillTask(opened, 'Written in the plant room'));
    await page.getByRole('button', { name: 'Add Task' }).click();
    await page.waitForURL('**/dashboard');
    await toastWith(page, offlineMessages.states.saved).waitFor();
    await page.getByText(taskMessages.taskKept).waitFor();
    expect(await stored()).toEqual([]);
    await page.context().setOffline(false);
    await toastWith(page, 'Task added').waitFor();
    await toastWith(page, `${harbour.code}-T0001`).waitFor();
    expect(await stored()).toMatchObject([{ taskDescription: 'Written in the plant room' }]);
  });
});
