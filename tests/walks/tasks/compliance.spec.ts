import { beforeEach, describe, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import {
  COMPLIANCE,
  cards,
  choose,
  openSchedule,
  task,
  tasksOf,
} from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

const setting = setUpWebSetting({ clock });
let here: TasksSite;

beforeEach(async () => {
  here = await createTasksSite(setting);
});

describe('the tasks of a building', () => {
  test('count as the rulings say, and live (case 5)', async () => {
    const { tasks, today } = here;
    const inDays = (n: number) => addDays(today, n);
    await tasks.add('A', { lastDone: inDays(-2) });
    await tasks.add('B, new');
    await tasks.schedule(await tasks.add('C, due tomorrow'), inDays(1));
    await tasks.add('D', { frequency: 'monthly', lastDone: inDays(-20) });
    await tasks.mark(await tasks.add('E', { frequency: 'biannually', lastDone: inDays(-100) }));
    await tasks.retire(await tasks.add('F'));
    await tasks.add('G, lapsed', { lastDone: inDays(-21) });
    const page = await here.open();
    await task(page, 'G, lapsed').waitFor();
    await live(page);
    expect(await cards(page)).toEqual([2, 4, 1, 3]);
    await page.getByText('33%').waitFor();
    expect(await task(page, 'F').filter({ hasText: 'F' }).filter({ hasText: 'Sold' }).count()).toBe(0);

    // Each card shows what it counts.
    await page.getByRole('button', { name: /^Overdue/ }).click();
    await expect.poll(() => page.locator('[data-task]').count()).toBe(1);
    await task(page, 'G, lapsed').getByText('14 days overdue').waitFor();
    expect(new URL(page.url()).searchParams.get('due')).toBe('overdue');
    await page.getByRole('button', { name: /^Overdue/ }).click();
    await page.getByRole('button', { name: /^Due This Week/ }).click();
    await expect.poll(() => page.locator('[data-task]').count()).toBe(3);

    await tasks.add('H, added by a colleague');
    await task(page, 'H, added').waitFor();
    expect(await cards(page)).toEqual([2, 5, 1, 4]);
  });
});

describe('the filters', () => {
  test('are in the address, and together narrow the list', async () => {
    const { tasks, today } = here;
    await tasks.add('weekly test', { responsiblePerson: 'Ann Weber', lastDone: today });
    await tasks.add('service', { responsiblePerson: 'Ann Weber', frequency: 'annually' });
    await tasks.add('other', { responsiblePerson: 'Bea Stone', frequency: 'P14M' });
    const page = await here.open();
    const shown = async () =>
      (await page.locator('[data-task] a[href*="task="]').allInnerTexts()).map((name) => name.slice(13));
    await expect.poll(shown).toEqual(['service', 'other', 'weekly test']);
    await page.getByLabel('Filter by status').selectOption('non-compliant');
    await page.getByRole('button', { name: /^Responsible: / }).click();
    await page.getByRole('option', { name: 'Ann Weber' }).click();
    await expect.poll(shown).toEqual(['service']);
    await page.getByText('Showing 1 of 3 tasks', { exact: true }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('status')).toBe('non-compliant');
    expect(searchParams.get('responsible')).toBe('Ann Weber');
    await page.reload();
    await expect.poll(shown).toEqual(['service']);

    await page.getByLabel('Filter by frequency').selectOption('monthly');
    await page.getByRole('heading', { name: taskMessages.none }).waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.poll(shown).toHaveLength(3);
    await page.getByLabel('Filter by frequency').selectOption('other');
    await expect.poll(shown).toEqual(['other']);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByLabel('Search tasks...').fill('weekly');
    await expect.poll(shown).toEqual(['weekly test']);
    await page.keyboard.press('Tab');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    expect(await page.getByLabel('Search tasks...').evaluate((it) => it === document.activeElement)).toBe(
      true,
    );
    const offered = await page.getByLabel('Filter by due date').locator('option').allInnerTexts();
    expect(offered).toEqual(['All Time', 'This Week', 'This Month', 'Overdue']);
  });
});

describe('all sites', () => {
  test('have a row each, the worst first, that opens the building; the cards are over all of them', async () => {
    const { site, tasks, today } = here;
    const { services } = setting.server;
    const mill = await createBuilding(services, { name: 'Mill Lane Studios' });
    const both = await createPerson(services, { role: 'manager', buildings: [site.id, mill.id] });
    const elsewhere = tasksOf(
      createTestClient(setting.server.url, await signInAs(setting.server, both)),
      mill.id,
      clock,
    );
    await tasks.add('fine', { lastDone: today });
    await elsewhere.add('late', { lastDone: addDays(today, -30) });
    const page = await setting.open(both, COMPLIANCE);
    const rows = () => page.locator('[data-site] a').allInnerTexts();
    await expect.poll(rows).toEqual(['Mill Lane Studios', 'Harbour House']);
    await page.getByRole('button', { name: 'Location: All My Sites' }).waitFor();
    expect(await cards(page)).toEqual([1, 1, 1, 1]);
    await live(page);
    await tasks.mark(await tasks.add('marked'));
    await tasks.mark(await tasks.add('marked, too'));
    await expect.poll(() => cards(page)).toEqual([1, 3, 1, 3]);

    // A filter narrows the rows, but does not change the cards.
    await page.getByLabel('Search tasks...').fill('fine');
    await expect.poll(rows).toEqual(['Harbour House']);
    expect(await cards(page)).toEqual([1, 3, 1, 3]);
    await page.getByRole('link', { name: 'Harbour House' }).click();
    await task(page, 'fine').waitFor();
    expect(await page.locator('[data-task]').count()).toBe(1);

    // The last choice is opened again.
    await page.goto('/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compliance' }).click();
    await page.getByRole('button', { name: 'Location: Harbour House' }).waitFor();
    await task(page, 'marked, too').waitFor();
  });
});

describe('who may not edit tasks', () => {
  test.each(['viewer', 'operative'] as const)(
    'a %s sees them without a control that changes one',
    async (role) => {
      const { tasks, today } = here;
      await tasks.add('for Ann', { responsiblePerson: 'Ann Weber' });
      const own = await tasks.add('for me', {
        responsiblePerson: 'Olu Okoro',
        complianceSystem: 'Water',
        lastDone: today,
      });
      const someone = await here.colleague(role, { firstName: 'Olu', lastName: 'Okoro' });
      const page = await here.open('', { as: someone });
      await task(page, 'for me').getByText('(You)').waitFor();
      // An operative's own tasks come first.
      const first = page.locator('[data-task]').first();
      expect((await first.allInnerTexts()).join('').includes('for me')).toBe(role === 'operative');
      const main = page.getByRole('main');
      for (const name of [/^Complete/, /^Edit/, /schedule/i, /^Last completed/]) {
        expect(await main.getByRole('button', { name }).count()).toBe(0);
      }
      expect(await main.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
      expect(await main.getByRole('checkbox').count()).toBe(0);
      await page.getByRole('button', { name: `Actions for ${own.taskNumber}` }).click();
      await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Record and history']);
    },
  );
});

describe('completing and scheduling', () => {
  test('Schedule and Complete show at once, here and in another window', async () => {
    const { tasks, today } = here;
    const made = await tasks.add('weekly test', { lastDone: addDays(today, -10) });
    const { taskNumber } = made;
    const viewer = await here.colleague('viewer');
    const [page, watcher] = [await here.open(), await here.open('', { as: viewer })];
    await Promise.all([task(page, 'weekly test').waitFor(), task(watcher, 'weekly test').waitFor()]);
    await Promise.all([live(page), live(watcher)]);
    const row = task(page, 'weekly test');
    const field = await openSchedule(page, made);
    const schedule = row.getByRole('button', { name: 'Schedule', exact: true });
    expect(await schedule.isDisabled()).toBe(true);
    await field.fill(addDays(today, 2));
    await schedule.click();
    await page.getByText(taskMessages.scheduled).waitFor();
    await watcher.getByText(taskMessages.scheduledByOther).waitFor();
    for (const window of [page, watcher]) {
      await task(window, 'weekly test')
        .getByText(formatDay(addDays(today, 2)))
        .waitFor();
      await task(window, 'weekly test').getByText('Non-Compliant').waitFor();
    }
    expect(await row.locator('input[type=date]').count()).toBe(0);

    await page.getByRole('button', { name: `Complete ${taskNumber}` }).click();
    await page.getByText(taskMessages.completed).waitFor();
    await row.getByText('Compliant', { exact: true }).waitFor();
    await row.getByText(formatDay(today)).waitFor();
    // Complete is not offered any more.
    expect(await page.getByRole('button', { name: /^Complete / }).count()).toBe(0);
    expect(await cards(page)).toEqual([1, 0, 0, 1]);
    await watcher.getByText(taskMessages.completedByOther).waitFor();
    await task(watcher, 'weekly test').getByText('Compliant', { exact: true }).waitFor();
  });
});

describe('marks, undoing and retiring', () => {
  test('a mark needs a reason, shows in every window, and is undone by a line with a reason', async () => {
    const { client, tasks, today } = here;
    const { id, taskNumber } = await tasks.add('boiler', { lastDone: today });
    const watching = await here.colleague('manager');
    const [page, watcher] = [await here.open(), await here.open('', { as: watching })];
    await Promise.all([task(page, 'boiler').waitFor(), task(watcher, 'boiler').waitFor()]);
    await Promise.all([live(page), live(watcher)]);
    await choose(page, taskNumber, 'Mark non-compliant…');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Mark non-compliant' }).click();
    await dialog.getByText(taskMessages.reasonRequired).waitFor();
    await dialog.getByLabel('Reason').fill('Flue joint leaks');
    await dialog.getByRole('button', { name: 'Mark non-compliant' }).click();
    await page.getByText(taskMessages.marked).waitFor();
    await watcher.getByText(taskMessages.marked).waitFor();
    for (const window of [page, watcher]) {
      await task(window, 'boiler').getByText('Non-Compliant').waitFor();
      await task(window, 'boiler')
        .getByText(/Flue joint leaks/)
        .waitFor();
      // While a task is marked, no completion is shown (ruling T40).
      await task(window, 'boiler').getByRole('button', { name: 'Last completed: choose a date' }).waitFor();
    }

    await choose(watcher, taskNumber, 'Undo the mark…');
    await watcher.getByLabel('Reason').fill('The wrong boiler');
    await watcher.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    for (const window of [page, watcher]) {
      await task(window, 'boiler').getByText('Compliant', { exact: true }).waitFor();
      await task(window, 'boiler').getByText(formatDay(today)).waitFor();
    }

    await choose(page, taskNumber, 'Undo the completion…');
    await page.getByLabel('Reason').fill('It was not done');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    for (const window of [page, watcher]) await task(window, 'boiler').getByText('Non-Compliant').waitFor();
    const lines = await client.tasks.record.query({ id });
    expect(lines.data.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['created', null],
      ['marked', 'Flue joint leaks'],
      ['undone', 'The wrong boiler'],
      ['undone', 'It was not done'],
    ]);
  });

  test('a retired task leaves every window, stands in the list of the retired, and can be restored', async () => {
    const { tasks } = here;
    const { taskNumber } = await tasks.add('lightning rod');
    const watching = await here.colleague('viewer');
    const [page, watcher] = [await here.open(), await here.open('', { as: watching })];
    await Promise.all([task(page, 'lightning rod').waitFor(), task(watcher, 'lightning rod').waitFor()]);
    await choose(page, taskNumber, 'Retire…');
    await page.getByLabel('Reason').fill('The mast was taken down');
    await page.getByRole('button', { name: 'Retire task' }).click();
    await page.getByText(taskMessages.retiredOne).waitFor();
    await task(watcher, 'lightning rod').waitFor({ state: 'detached' });
    await watcher.getByLabel('Tasks shown').selectOption('retired');
    await task(watcher, 'lightning rod').getByText('Retired: The mast was taken down').waitFor();
    expect(await watcher.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
    await page.getByLabel('Tasks shown').selectOption('retired');
    expect(await cards(page)).toEqual([0, 0, 0, 0]);
    await page.getByRole('button', { name: `Restore ${taskNumber}` }).click();
    await page.getByText(taskMessages.restored).waitFor();
    await page.mouse.move(0, 0);
    await page.getByText(taskMessages.noneRetired).waitFor();
    await watcher.getByLabel('Tasks shown').selectOption('used');
    await task(watcher, 'lightning rod').waitFor();
  });
});

describe('the record of a task', () => {
  test('tells every line with its reason, follows what is done, and undoes from there', async () => {
    const { tasks, today } = here;
    const service = await tasks.add('service', { lastDone: addDays(today, -10) });
    await tasks.complete(service);
    const page = await here.open();
    await page.getByRole('link', { name: /service/ }).click();
    const dialog = page.getByRole('dialog', { name: /service/ });
    await dialog.getByText(`Completed on ${formatDay(today)}`).waitFor();
    await dialog
      .getByText(`Added on ${formatDay(today)}, last done on ${formatDay(addDays(today, -10))}`)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('task')).toBe(service.id);
    await live(page);
    await tasks.mark(service, 'The horn is silent');
    await dialog.getByText('The horn is silent').first().waitFor();
    await dialog.getByRole('button', { name: `Undo: Completed on ${formatDay(today)}` }).click();
    await page.getByLabel('Reason').fill('Another panel');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await dialog.getByText(`The completion of ${formatDay(today)} undone`).waitFor();
    await dialog.getByText('Another panel').waitFor();
    await dialog.getByText('Undone', { exact: true }).waitFor();
    await dialog.getByText('All changes').click();
    await dialog.getByText('undid a line of the record').waitFor();
    await dialog.getByText('marked the task as non-compliant: The horn is silent').waitFor();
    await dialog.getByText('added the task').waitFor();
    // The address alone opens the dialog, and closing it leads to the list.
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.goForward();
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await task(page, 'service').waitFor();
  });
});
