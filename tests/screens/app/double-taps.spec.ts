import { like } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { photos } from '#db/schema/photos.ts';
import { addDays } from '#shared/dates.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { messages } from '#shared/messages.ts';
import { doubleTap, toTheMiddle, untilNextTapCounts } from '#tests/support/browser/double-tap.ts';
import { SMALL_PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestBuilding } from '#tests/support/rows/factories.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { reportIssues } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE, openScheduleOnPhone, task } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const setting = setUpWebSetting({ clock: dayClock() });
let building: TestBuilding;

beforeAll(async () => {
  const { services } = setting.server;
  building = await createBuilding(services, { name: 'Harbour House' });
  const at = { buildingId: building.id };
  for (const name of ['Front Door', 'Basement'])
    await createAsset(services, { ...at, name, type: 'call_point' });
  for (const name of ['Exit sign', 'Bulkhead'])
    await createAsset(services, { ...at, name, type: 'emergency_light' });
  for (const name of ['Basin', 'Kitchen tap'])
    await createAsset(services, { ...at, name, type: 'water_outlet', outletKind: 'cold' });
});

async function openForm(slug: string): Promise<Page> {
  const { services } = setting.server;
  const person = await createPerson(services, { role: 'operative', buildings: [building.id] });
  const page = await setting.open(person, `/operative-tasks/${slug}?site=${building.id}`, SMALL_PHONE);
  await page.getByRole('button', { name: /^Site: Harbour House/ }).waitFor();
  // A form that has just opened ignores taps for a moment.
  await page.getByRole('button', { name: /^Site: Harbour House/ }).click({ trial: true });
  return page;
}

const button = (on: Page | Locator, name: string) => on.getByRole('button', { name, exact: true });
const pressed = (page: Page) =>
  page.locator('[aria-pressed=true]').evaluateAll((all) => all.map((one) => one.textContent));

describe('a double tap', () => {
  test('on Fail of the fire form is Fail, and nothing above the thumb moves', async () => {
    const page = await openForm('fire-alarm');
    const fail = button(page, 'Fail');
    await toTheMiddle(fail);
    const before = await fail.boundingBox();
    await doubleTap(page, fail);
    await page.getByText('Saving this will raise a building issue.').waitFor();
    expect(await pressed(page)).toEqual(['Fail']);
    expect(await fail.boundingBox()).toEqual(before);
  });

  test('on the site opens its list and chooses nothing in it', async () => {
    const page = await openForm('fire-alarm');
    await doubleTap(page, page.getByRole('button', { name: /^Site: / }));
    await page.getByRole('option', { name: 'Harbour House' }).waitFor();
    expect(await page.getByRole('option', { name: 'Harbour House' }).getAttribute('aria-selected')).toBe(
      'true',
    );
  });

  test('on the suggested call point chooses it, and no result', async () => {
    const page = await openForm('fire-alarm');
    // Returns to the first selection after another one.
    const chosen = page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ });
    const suggested = (await chosen.getAttribute('aria-label')) ?? '';
    await chosen.click();
    await page.getByLabel('Search test locations...').fill(suggested.endsWith('Basement') ? 'Front' : 'Base');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await doubleTap(page, page.getByRole('button', { name: /^Next in turn: / }));
    await page.getByRole('button', { name: suggested, exact: true }).waitFor();
    expect(await pressed(page)).toEqual([]);
  });

  test.each([
    ['emergency-lighting', 'Result of Exit sign', 'Pass'],
    ['outlet-flushing', 'Flushing of Basin', 'Flushed'],
  ])(
    'on an outcome of the %s form keeps it; taking it back has a button of its own',
    async (slug, name, word) => {
      const page = await openForm(slug);
      // The error above the rows disappears with the first outcome.
      await page.getByRole('button', { name: /^Record/ }).click();
      const outcome = button(page.getByRole('group', { name }), word);
      await page.getByRole('alert').first().waitFor();
      await toTheMiddle(outcome);
      const before = await outcome.boundingBox();
      await doubleTap(page, outcome);
      await page.getByText(/^1 of 2 /).waitFor();
      expect(await pressed(page)).toEqual([word]);
      expect(await outcome.boundingBox()).toEqual(before);
      await page.getByRole('button', { name: /^Clear / }).click();
      await page.getByText(/^0 of 2 /).waitFor();
      expect(await pressed(page)).toEqual([]);
    },
  );

  test('on Record leads to the receipt alone, and on Record another to an untouched form', async () => {
    const page = await openForm('fire-alarm');
    const chosen = page.getByRole('button', { name: /^Test location: (Front Door|Basement)$/ });
    await chosen.waitFor();
    await button(page, 'Pass').click();
    await doubleTap(page, page.getByRole('button', { name: /^Record test/ }));
    await page.getByText('Log number').waitFor();
    expect(new URL(page.url()).searchParams.get('done')).not.toBeNull();
    const another = button(page, 'Record another');
    // Waits until the receipt accepts taps.
    await another.click({ trial: true });
    await doubleTap(page, another);
    await chosen.waitFor();
    expect(await pressed(page)).toEqual([]);
    expect(await page.getByText('Missing information').count()).toBe(0);
  });

  test('on the way back to the tasks leads there, and opens no menu that stands there', async () => {
    const page = await openForm('fire-alarm');
    await doubleTap(page, page.getByRole('link', { name: 'Back to Tasks' }));
    await page.getByRole('heading', { name: 'Operative Tasks' }).waitFor();
    await menuIsShut(page);
  });

  test('on a link leads there, and touches nothing that appears under the thumb', async () => {
    const page = await openForm('fire-alarm');
    await doubleTap(page, page.getByRole('link', { name: /^Scan/ }));
    await page.waitForURL('**/scan**');
    await menuIsShut(page);
  });

  test('on a menu opens it and does not shut it again', async () => {
    const page = await openForm('fire-alarm');
    await page.goto('/operative-tasks');
    const menu = button(page, 'Menu');
    await menu.waitFor();
    await doubleTap(page, menu);
    await page.getByRole('menuitem', { name: 'Dashboard' }).waitFor();
    await afterASecondTap(page);
    expect(await page.getByRole('menu').count()).toBe(1);
  });

  test('on the timer starts it', async () => {
    const page = await openForm('outlet-flushing');
    await doubleTap(page, button(page, 'Start the 2-minute timer'));
    await afterASecondTap(page);
    expect(await button(page, 'Stop the timer').count()).toBe(1);
  });

  test('on a step of a reading steps twice', async () => {
    const page = await openForm('water-temperature');
    const reading = page.getByRole('textbox', { name: 'Temperature of Basin' });
    await reading.fill('14');
    await doubleTap(page, button(page, 'Temperature of Basin: higher'));
    await expect.poll(() => reading.inputValue()).toBe('14.2');
  });

  test('on Remove photo asks, and removes nothing', async () => {
    const page = await openIssue();
    await page.getByLabel(/^Choose photos/).setInputFiles({
      name: 'damage.png',
      mimeType: 'image/png',
      buffer: noisyPicture(40, 30),
    });
    await page.getByRole('button', { name: /^Photo of / }).click();
    const photo = page.getByRole('dialog').getByRole('img', { name: /^Photo of / });
    // The browser drops a touch that a page busy with decoding answers too late.
    await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.complete)).toBe(true);
    const kept = await setting.server.services.db.$count(photos);
    await doubleTap(page, button(page, 'Remove photo'));
    await button(page, 'Remove for everyone').waitFor();
    await afterASecondTap(page);
    expect(await photo.count()).toBe(1);
    expect(await setting.server.services.db.$count(photos)).toBe(kept);
  });

  test('on Add Comment says it once, and does not ask for another one', async () => {
    const page = await openIssue();
    await page.getByLabel('Add a comment').fill('Engineer is on site');
    await doubleTap(page, button(page, 'Add Comment'));
    await page.getByText('Engineer is on site').waitFor();
    await afterASecondTap(page);
    expect(await page.getByText(messages.issues.commentRequired).count()).toBe(0);
  });

  test('on Retire retires, on its Undo restores once, and on Duplicate makes one copy', async () => {
    const { services } = setting.server;
    const name = 'Pump';
    const { id } = await createAsset(services, { buildingId: building.id, name });
    const person = await createPerson(services, { role: 'manager', buildings: [building.id] });
    const page = await setting.open(person, `/asset-management/${id}`, SMALL_PHONE);
    await page.getByRole('heading', { name }).tap();
    await doubleTap(page, button(page, 'Retire'));
    await page.getByText(assetMessages.retired).waitFor();
    await afterASecondTap(page);
    expect(await button(page, 'Restore').count()).toBe(1);

    const restored = page.getByText(assetMessages.restored);
    await doubleTap(page, button(page, 'Undo'));
    await restored.waitFor();
    await afterASecondTap(page);
    expect(await page.getByRole('alert').count()).toBe(0);

    await doubleTap(page, button(page, 'Duplicate'));
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    expect(await services.db.$count(assets, like(assets.name, `%${name}%`))).toBe(2);
  });

  test('on Complete completes that task, and not the one that takes its place', async () => {
    const { page, tasks, made } = await openTasks('status=non-compliant');
    const [first, second] = made;
    await doubleTap(page, button(page, `Complete ${first.taskNumber}`));
    await page.getByText(taskMessages.completed).waitFor();
    await afterASecondTap(page);
    expect((await tasks.get(second.id)).completedOn).toBeNull();
    expect((await tasks.get(first.id)).occurrence).toBe(2);
  });

  test('on Schedule moves the task once, and on the button of a dialog leaves one line', async () => {
    const { page, tasks, client, made } = await openTasks('');
    const [first] = made;
    const { id, taskNumber } = first;
    await (await openScheduleOnPhone(page, first)).fill(addDays(tasks.today(), 3));
    await doubleTap(page, button(page.getByRole('dialog'), 'Schedule'));
    await page.getByText(taskMessages.scheduled).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // By the keyboard, because a thumb that has just chosen in the menu does not press the next button at once.
    await button(page, `Actions for ${taskNumber}`).press('Enter');
    await page.getByRole('menuitem', { name: /^Mark/ }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('A fault');
    await doubleTap(page, button(dialog, 'Mark non-compliant'));
    await dialog.waitFor({ state: 'detached' });
    await afterASecondTap(page);
    const { data } = await client.tasks.record.query({ id });
    expect(data.map(({ kind }) => kind)).toEqual(['created', 'scheduled', 'marked']);
  });

  test.each([
    ['Complete with notes or photos…', 'Complete', ['created', 'completed']],
    ['Mark non-compliant…', 'Mark non-compliant', ['created', 'marked']],
    ['Retire…', 'Retire task', ['created', 'retired']],
  ])('on the button of “%s” leaves one line, and shuts nothing else', async (item, name, kinds) => {
    const { page, client, made } = await openTasks('');
    const [{ id, taskNumber }] = made;
    await button(page, `Actions for ${taskNumber}`).press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel('Reason');
    await button(dialog, name).waitFor();
    if ((await reason.count()) > 0) await reason.fill('A fault');
    await doubleTap(page, button(dialog, name));
    await dialog.waitFor({ state: 'detached' });
    await afterASecondTap(page);
    const { data } = await client.tasks.record.query({ id });
    expect(data.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('on Save Task saves once', async () => {
    const { page, tasks, made } = await openTasks('');
    const [{ id }] = made;
    await page.goto(`/edit-task/${id}`);
    await page.getByLabel('Task Description').fill('Tapped twice');
    await page.getByText('Task Number', { exact: true }).tap();
    await doubleTap(page, button(page, 'Save Task'));
    await page.waitForURL('**/dashboard');
    expect(await tasks.get(id)).toMatchObject({ taskDescription: 'Tapped twice', version: 2 });
  });

  test('on Restore restores that task alone', async () => {
    const { page, tasks, made } = await openTasks('show=retired', (at, each) => at.retire(each));
    const [first, second] = made;
    await doubleTap(page, button(page, `Restore ${first.taskNumber}`));
    await page.getByText(taskMessages.restored).waitFor();
    await afterASecondTap(page);
    expect((await tasks.get(first.id)).retiredAt).toBeNull();
    expect((await tasks.get(second.id)).retiredAt).not.toBeNull();
  });

  test('on Add Task adds one', async () => {
    const { page, client, site } = await openTasks('');
    await page.goto(`/add-task?building=${site.id}`);
    await page.getByLabel('Compliance System').fill('Lifts');
    await page.getByLabel('Task Description').fill('Tapped twice');
    await page.getByLabel('Frequency').selectOption('Quarterly');
    await page.getByRole('heading', { name: 'Add Task' }).tap();
    await doubleTap(page, button(page, 'Add Task'));
    await page.waitForURL('**/dashboard');
    const { data } = await client.tasks.list.query({ buildingId: site.id });
    expect(data.tasks.filter(({ taskDescription }) => taskDescription === 'Tapped twice')).toHaveLength(1);
  });

  test('on a template’s preview shows it and adds nothing, and on its button adds it once', async () => {
    const { page, client, site } = await openTasks('');
    const descriptions = async () =>
      (await client.tasks.list.query({ buildingId: site.id })).data.tasks.map((each) => each.taskDescription);
    const before = await descriptions();
    await page.goto(`/task-templates?building=${site.id}`);
    const reviewed = 'Review of the legionella risk assessment';
    const choice = page.getByRole('checkbox', { name: `Choose Water Hygiene – ${reviewed}` });
    await choice.tap();
    await doubleTap(page, button(page, templateMessages.preview(1)));
    const add = button(page, templateMessages.add(1));
    await add.waitFor();
    await afterASecondTap(page);
    expect(await descriptions()).toEqual(before);
    await doubleTap(page, add);
    await page.getByText(templateMessages.added(1)).waitFor();
    await afterASecondTap(page);
    expect((await descriptions()).sort()).toEqual([...before, reviewed].sort());
  });

  test('on Import imports the tasks once, and leaves what it says on the screen', async () => {
    const { page, client, site } = await openTasks('');
    await page.goto('/compliance-details');
    await button(page, 'More actions').press('Enter');
    await page.getByRole('menuitem', { name: 'Import' }).press('Enter');
    const rows = ['Building Name,System,Description,Frequency,Last Done'];
    rows.push(`${site.name},Lifts,Tapped twice,Quarterly,2026-01-02`);
    const buffer = Buffer.from(rows.join('\n'));
    await page.getByLabel('CSV file').setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer });
    await doubleTap(page, button(page, 'Import 1 row'));
    const done = page.getByRole('heading', { name: importMessages.done(1) });
    await done.waitFor();
    await afterASecondTap(page);
    expect(await done.isVisible()).toBe(true);
    const { data } = await client.tasks.list.query({ buildingId: site.id });
    expect(data.tasks.filter(({ taskDescription }) => taskDescription === 'Tapped twice')).toHaveLength(1);
  });
});

/** Opens two tasks of a building of their own on a phone that has been touched before. */
async function openTasks(
  query: string,
  before?: (tasks: TasksSite['tasks'], each: Task) => Promise<unknown>,
): Promise<TasksSite & { page: Page; made: [Task, Task] }> {
  const at = await createTasksSite(setting);
  const made: [Task, Task] = [await at.tasks.add('first'), await at.tasks.add('second')];
  for (const each of made) await before?.(at.tasks, each);
  const page = await setting.open(at.manager, `${COMPLIANCE}?building=${at.site.id}&${query}`, SMALL_PHONE);
  await task(page, 'second').waitFor();
  await page.locator('[data-live=live]').waitFor();
  await page.getByRole('heading', { name: /^Fire/ }).tap();
  await untilNextTapCounts(page);
  return { ...at, page, made };
}

/** Opens an issue's details on a phone that has been touched before, so that the guard is loaded. */
async function openIssue(): Promise<Page> {
  const { server } = setting;
  const person = await createPerson(server.services, { role: 'manager', buildings: [building.id] });
  const [issue] = await reportIssues(server, person, building, [{ title: 'Lift 2 stuck' }]);
  const page = await setting.open(
    person,
    `/building-issues?building=${building.id}&issue=${issue}`,
    SMALL_PHONE,
  );
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.locator('[data-live=live]').waitFor();
  await page.getByRole('heading', { name: 'History' }).tap();
  return page;
}

/** Waits two frames, until everything that a second tap could have triggered is rendered. */
function afterASecondTap(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}

async function menuIsShut(page: Page): Promise<void> {
  await button(page, 'Menu').waitFor();
  await afterASecondTap(page);
  expect(await page.getByRole('menu').count()).toBe(0);
}
