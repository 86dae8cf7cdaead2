import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks-messages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import type { TestBuilding, TestPerson } from '#tests/support/rows/factories.ts';
import { COMPLIANCE, choose, task, type tasksOf } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

let setting: WebSetting;
let site: TestBuilding;
let manager: TestPerson;
let tasks: ReturnType<typeof tasksOf>;

beforeAll(async () => {
  setting = await createWebSetting({ clock: dayClock() });
});
beforeEach(async () => {
  ({ site, manager, tasks } = await createTasksSite(setting));
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const COMPLETE = { name: 'Complete', exact: true };
const REASON = 'The contractor was closed';

test('Complete asks why whole occurrences were missed, and the record tells it', async () => {
  // Due two weeks ago, so a week ago and today too.
  const lapsed = await tasks.add('Service', { lastDone: addDays(tasks.today(), -21) });
  const page = await setting.open(manager, `${COMPLIANCE}?building=${site.id}`);
  await task(page, 'Service')
    .getByRole('button', { name: `Complete ${lapsed.taskNumber}` })
    .click();
  const dialog = page.getByRole('dialog');
  const reason = dialog.getByLabel(taskMessages.missedReason(2));
  await reason.waitFor();
  await dialog.getByRole('button', COMPLETE).click();
  await dialog.getByText(taskMessages.reasonRequired).waitFor();
  expect((await tasks.get(lapsed.id)).completedOn).toBe(lapsed.completedOn);
  await reason.fill(REASON);
  await dialog.getByRole('button', COMPLETE).click();
  await page.getByText(taskMessages.completed).waitFor();
  expect((await tasks.get(lapsed.id)).completedOn).toBe(tasks.today());
  await choose(page, lapsed.taskNumber, 'Record and history');
  await page.getByText(taskMessages.missedBecause(REASON)).waitFor();
});
