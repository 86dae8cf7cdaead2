import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { doubleTap } from '#tests/support/browser/double-tap.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import {
  COMPLIANCE,
  cards,
  choose,
  openSchedule,
  openScheduleOnPhone,
  task,
} from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// Clumsy and hostile use of the compliance page.

const clock = dayClock();

const setting = setUpWebSetting({ clock });
let admin: TestPerson;
let asAdmin: TestClient;
let here: TasksSite;

beforeAll(async () => {
  const { server } = setting;
  admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
});
beforeEach(async () => {
  here = await createTasksSite(setting);
});

const open = (query = '', options = {}) =>
  setting.open(here.manager, `${COMPLIANCE}?building=${here.site.id}${query}`, options);
const operation = () => ({ operationId: uuidv7() });
const kinds = async (id: string) =>
  (await here.client.tasks.record.query({ id })).data.map(({ kind }) => kind);

/** Lets a command reach the server and drops its first answer. */
async function loseAnswer(page: Page, command: string): Promise<void> {
  let lost = false;
  await page.route(new RegExp(`trpc/${command}`), async (route) => {
    const answer = await route.fetch();
    if (lost) return route.fulfill({ response: answer });
    lost = true;
    return route.abort('connectionreset');
  });
}

test('of changes whose answer is lost one version is stored, and the form says that they are saved', async () => {
  const { id } = await here.tasks.add('Thorough examination');
  const page = await setting.open(here.manager, `/edit-task/${id}`);
  await page.getByLabel('Task Description').fill('Answered twice');
  await loseAnswer(page, 'tasks.update');
  await page.getByRole('button', { name: 'Save Task' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByText(taskMessages.updated).waitFor();
  expect(await here.tasks.get(id)).toMatchObject({ taskDescription: 'Answered twice', version: 2 });
});

describe('a double click with a mouse', () => {
  test('on Complete completes that task, and not the one that takes its place', async () => {
    const { tasks } = here;
    const first = await tasks.add('first');
    const second = await tasks.add('second');
    const page = await open('&status=non-compliant');
    await task(page, 'second').waitFor();
    await live(page);
    await page.getByRole('button', { name: `Complete ${first.taskNumber}` }).dblclick({ delay: 60 });
    await page.getByText(taskMessages.completed).waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => task(page, 'first').count()).toBe(0);
    expect((await tasks.get(second.id)).completedOn).toBeNull();
    expect(await kinds(first.id)).toEqual(['created', 'completed']);
  });

  test('on Restore restores that task alone', async () => {
    const { tasks } = here;
    const both = [await tasks.add('first'), await tasks.add('second')];
    for (const each of both) await tasks.retire(each);
    const page = await open('&show=retired');
    await task(page, 'second').waitFor();
    await live(page);
    await page.getByRole('button', { name: `Restore ${both[0]?.taskNumber}` }).dblclick({ delay: 60 });
    await page.getByText(taskMessages.restored).waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => page.locator('[data-task]').count()).toBe(1);
    expect((await tasks.get(both[1]?.id ?? '')).retiredAt).not.toBeNull();
  });
});

describe('a double tap', () => {
  let first: Task;
  let second: Task;

  beforeEach(async () => {
    first = await here.tasks.add('first');
    second = await here.tasks.add('second');
  });

  async function openOnPhone(): Promise<Page> {
    const page = await open('', PHONE);
    await task(page, 'first').waitFor();
    await live(page);
    return page;
  }
  const noDialog = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

  test('on Complete, and on Undo in its dialog, completes once and undoes once', async () => {
    const page = await openOnPhone();
    await doubleTap(page, page.getByRole('button', { name: `Complete ${first.taskNumber}` }));
    await page.getByText(taskMessages.completed).waitFor();
    await choose(page, first.taskNumber, 'Undo the completion…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The wrong one');
    await doubleTap(page, dialog.getByRole('button', { name: 'Undo', exact: true }));
    await page.getByText(taskMessages.undone).waitFor();
    await noDialog(page);
    expect(await kinds(first.id)).toEqual(['created', 'completed', 'undone']);
    expect(await kinds(second.id)).toEqual(['created']);
  });

  test('on each change of a selection makes it once', async () => {
    const page = await openOnPhone();
    const dialog = page.getByRole('dialog');
    const select = async () => {
      for (const { taskNumber } of [first, second]) {
        await page.getByRole('checkbox', { name: `Select ${taskNumber}` }).check();
      }
    };
    await select();
    await doubleTap(page, page.getByRole('button', { name: 'Reschedule…' }));
    await dialog.getByLabel('New due date').fill(addDays(here.today, 9));
    await doubleTap(page, dialog.getByRole('button', { name: 'Reschedule' }));
    await page.getByText(taskMessages.rescheduledAll(2)).waitFor();
    await noDialog(page);
    await select();
    await doubleTap(page, page.getByRole('button', { name: 'Retire…' }));
    await dialog.getByLabel('Reason').fill('Sold');
    await doubleTap(page, dialog.getByRole('button', { name: 'Retire tasks' }));
    await page.getByText(taskMessages.retiredAll(2)).waitFor();
    await noDialog(page);
    for (const each of [first, second])
      expect(await kinds(each.id)).toEqual(['created', 'scheduled', 'retired']);
  });

  test('on the answer about a date that another person has changed gives it once', async () => {
    const page = await openOnPhone();
    await (await openScheduleOnPhone(page, first)).fill(addDays(here.today, 5));
    const to = addDays(here.today, 8);
    await page.route(
      '**/trpc/tasks.schedule*',
      async (route) => {
        await here.tasks.schedule(await here.tasks.get(first.id), to);
        await route.continue();
      },
      { times: 1 },
    );
    const dialog = page.getByRole('dialog');
    await doubleTap(page, dialog.getByRole('button', { name: 'Schedule', exact: true }));
    await dialog.getByText(`Schedule ${first.taskNumber}?`).waitFor();
    await doubleTap(
      page,
      dialog.getByRole('button', { name: taskMessages.scheduleAnyway(formatDay(addDays(here.today, 5))) }),
    );
    await page.getByText(taskMessages.scheduled).waitFor();
    expect(await kinds(first.id)).toEqual(['created', 'scheduled', 'scheduled']);
    expect((await here.tasks.get(first.id)).due).toBe(addDays(here.today, 5));
  });
});

describe('an answer that is lost', () => {
  test('of Complete and Schedule: each is done once, and said to be', async () => {
    const { tasks, today } = here;
    const made = await tasks.add('weekly test');
    const page = await open();
    await task(page, 'weekly test').waitFor();
    await live(page);
    await loseAnswer(page, 'tasks.complete');
    await page.getByRole('button', { name: `Complete ${made.taskNumber}` }).click();
    await page.getByText(taskMessages.completed, { exact: true }).waitFor();
    expect(await kinds(made.id)).toEqual(['created', 'completed']);
    await loseAnswer(page, 'tasks.schedule');
    await (await openSchedule(page, made)).fill(today);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText(taskMessages.scheduled).waitFor();
    expect(await kinds(made.id)).toEqual(['created', 'completed', 'scheduled']);
    expect((await tasks.get(made.id)).due).toBe(today);
  });

  test('of a mark and of retiring: one line each', async () => {
    const made = await here.tasks.add('weekly test');
    const page = await open();
    await task(page, 'weekly test').waitFor();
    await live(page);
    await loseAnswer(page, 'tasks.mark');
    await choose(page, made.taskNumber, /^Mark/);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Sounder is broken');
    await dialog.getByRole('button', { name: 'Mark non-compliant' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await kinds(made.id)).toEqual(['created', 'marked']);
    await loseAnswer(page, 'tasks.retire');
    await choose(page, made.taskNumber, /^Retire/);
    await dialog.getByLabel('Reason').fill('Sold');
    await dialog.getByRole('button', { name: 'Retire task' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(taskMessages.none).waitFor();
    expect(await kinds(made.id)).toEqual(['created', 'marked', 'retired']);
  });
});

describe('what is taken away while the page is open', () => {
  test('the role: a dialog that was open is refused, and the controls go', async () => {
    const { tasks, manager } = here;
    const made = await tasks.add('weekly test');
    const page = await open();
    await task(page, 'weekly test').waitFor();
    await live(page);
    await choose(page, made.taskNumber, /^Mark/);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Sounder is broken');
    await asAdmin.users.setRole.mutate({ ...operation(), userId: manager.id, role: 'viewer' });
    await expect
      .poll(() => page.getByRole('button', { name: /: schedule$/, includeHidden: true }).count())
      .toBe(0);
    if ((await dialog.count()) > 0) {
      await dialog.getByRole('button', { name: 'Mark non-compliant' }).click();
      await page.getByText(taskMessages.statusFailed).waitFor();
    }
    const { data } = await asAdmin.tasks.get.query({ id: made.id });
    expect(data.markedOn).toBeNull();
  });

  test('the building: nothing of it stays on the page, nor on the device', async () => {
    const { tasks, manager, site } = here;
    const other = await createBuilding(setting.server.services, { name: 'Elsewhere' });
    await asAdmin.users.grant.mutate({ ...operation(), userId: manager.id, buildingId: other.id });
    await tasks.add('weekly test');
    const page = await open();
    await task(page, 'weekly test').waitFor();
    await live(page);
    await asAdmin.users.revoke.mutate({ ...operation(), userId: manager.id, buildingId: site.id });
    await expect.poll(() => page.getByText('weekly test').count()).toBe(0);
    await page.goto(`${COMPLIANCE}?building=all`);
    await expect.poll(() => cards(page)).toEqual([0, 0, 0, 0]);
    expect(await page.getByText(site.name).count()).toBe(0);
  });
});

test('an address with nonsense opens the page, and one of a foreign task says that it is not there', async () => {
  const { tasks, site } = here;
  await tasks.add('weekly test');
  const nonsense = 'status=evil&due=%00&frequency=hourly&show=1&group=x&task=7&page=99999999';
  const page = await open(`&${nonsense}`);
  await task(page, 'weekly test').waitFor();

  const foreign = await createTasksSite(setting, { site: { name: 'Elsewhere' } });
  const hidden = await foreign.tasks.add('hidden');
  await page.goto(`${COMPLIANCE}?building=${site.id}&task=${hidden.id}`);
  await page.getByText(taskMessages.gone).waitFor();
  await page.goto(`${COMPLIANCE}?building=${foreign.site.id}`);
  await task(page, 'weekly test').waitFor();
  expect(await page.getByText('hidden').count()).toBe(0);

  // A filter that no field of the page could produce.
  const all = await setting.open(admin, `${COMPLIANCE}?building=all&responsible=%00%E2%80%AE&q=%ED%A0%80%00`);
  await all.getByText(taskMessages.none).waitFor();
});

test('back and forward go over filters and dialogs, and each is as it was', async () => {
  const { tasks } = here;
  await tasks.add('weekly test');
  const page = await open();
  const row = task(page, 'weekly test');
  await row.waitFor();
  await page.getByRole('button', { name: /^Overdue/ }).click();
  await page.getByText(taskMessages.none).waitFor();
  await page.getByRole('button', { name: /^Overdue/ }).click();
  await row.getByRole('link', { name: /weekly test/ }).click();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.waitFor();
  await page.goBack();
  await page.getByText(taskMessages.none).waitFor();
  await page.goForward();
  await row.waitFor();
  await page.goForward();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('task')).toBeNull();
});

test('a device years ahead in another zone completes on the day of the organisation', async () => {
  const { tasks, today } = here;
  const made = await tasks.add('weekly test');
  const page = await setting.window(here.manager, { timezoneId: 'Pacific/Kiritimati' });
  await page.clock.install({ time: new Date(clock.now().getTime() + 5 * 365 * 86_400_000) });
  await page.goto(`${COMPLIANCE}?building=${here.site.id}`);
  await page.getByRole('button', { name: `Complete ${made.taskNumber}` }).click();
  await expect.poll(async () => (await tasks.get(made.id)).completedOn).toBe(today);
});

test('long names, names from right to left and hidden characters stay in their places', async () => {
  const { tasks } = here;
  const long = 'Überprüfung'.repeat(150);
  await tasks.add(long, { complianceSystem: 'W'.repeat(100), responsiblePerson: 'N'.repeat(200) });
  await tasks.add('\u202eفحص أسبوعي للإنذار\u0007', { complianceSystem: 'إنذار الحريق' });
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    const page = await open('', { viewport });
    await task(page, 'فحص').waitFor();
    await task(page, long.slice(0, 40)).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    expect(await page.getByText('\u202e').count()).toBe(0);
  }
});
