import { beforeEach, expect, test } from 'vitest';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { loseConnection } from '#tests/support/browser/lose-connection.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson } from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, cards, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The compliance page without a connection.

const setting = setUpWebSetting({ clock: dayClock() });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

test('all sites are shown from the copy with its age; a filter needs the server and says so', async () => {
  const { services } = setting.server;
  const other = await createBuilding(services, { name: 'Mill Lane' });
  const manager = await createPerson(services, { role: 'manager', buildings: [here.site.id, other.id] });
  await here.tasks.add('weekly test');
  const page = await setting.open(manager, `${COMPLIANCE}?building=all`);
  const row = page.locator('[data-site]').filter({ hasText: here.site.name });
  await row.waitFor();
  await live(page);
  // A network on which all calls fail; only the app itself loads.
  await page.route('**/trpc/**', (route) => route.abort());
  await page.reload();
  await page.getByText(/^Saved on this computer/).waitFor();
  await row.waitFor();
  expect(await cards(page)).toEqual([0, 1, 0, 1]);
  await page.getByRole('button', { name: /^Overdue/ }).click();
  await page.getByText(taskMessages.filterNeedsServer).waitFor();
  expect(await cards(page)).toEqual([0, 1, 0, 1]);
});

test('a new task that waits stands before the list of its building until it is sent', async () => {
  const { manager, site, tasks, client } = here;
  await tasks.add('weekly test');
  const page = await setting.open(manager, `${COMPLIANCE}?building=${site.id}`);
  await task(page, 'weekly test').waitFor();
  await live(page);
  await page.getByRole('link', { name: 'Add Task' }).click();
  await page.getByLabel('Compliance System').fill('Fire Doors');
  await page.getByLabel('Task Description').fill('Check of the basement');
  await page.getByLabel('Frequency').selectOption('Quarterly');
  await loseConnection(page);
  await page.getByRole('button', { name: 'Add Task' }).click();
  await page.getByText(taskMessages.taskKept).waitFor();
  await page
    .getByRole('link', { name: /^Compliance/ })
    .first()
    .click();
  const waiting = page.getByRole('region', { name: taskMessages.waitingNew(1) });
  await waiting.getByText('Fire Doors – Check of the basement').waitFor();
  expect((await client.tasks.list.query({ buildingId: site.id })).data.tasks).toHaveLength(1);
  await page.context().setOffline(false);
  await task(page, 'Check of the basement').waitFor();
  await waiting.waitFor({ state: 'detached' });
});
