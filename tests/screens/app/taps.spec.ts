import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { untilNextTapCounts } from '#tests/support/browser/double-tap.ts';
import { PHONE } from '#tests/support/browser/pages.ts';
import { countTaps, tapsOf } from '#tests/support/browser/taps.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { noisyPicture } from '#tests/support/rows/photos.ts';
import { temperature } from '#tests/support/screens/check-form.ts';
import { task, tasksOf } from '#tests/support/screens/tasks-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

// The number of taps that everyday work on a phone takes, from the first page on.

const clock = dayClock();

const setting = setUpWebSetting({ clock });

async function begin(person: TestPerson): Promise<Page> {
  const page = await setting.open(person, '/account', PHONE);
  await countTaps(page);
  await page.goto('/dashboard');
  return page;
}

/** Makes sites, each with one asset, and their operative. */
async function sitesWith(asset: { name: string; type: 'call_point' | 'water_outlet' }, names: string[]) {
  const { services } = setting.server;
  const ids: string[] = [];
  for (const name of names) {
    const { id } = await createBuilding(services, { name });
    const kind = asset.type === 'water_outlet' ? { outletKind: 'cold' as const } : {};
    await createAsset(services, { buildingId: id, ...asset, ...kind });
    ids.push(id);
  }
  return createPerson(services, { role: 'operative', buildings: ids });
}

/** Taps as a person does who has read the effect of the previous tap. */
async function tap(page: Page, on: Locator): Promise<void> {
  await on.waitFor();
  await untilNextTapCounts(page);
  await on.tap();
}

const due = (page: Page) => page.getByRole('region', { name: 'Due now' });

describe('a fire alarm test', () => {
  test.each([
    ['at the only site', ['Harbour House'], /^Fire alarm test/],
    ['at one of several sites', ['Harbour House', 'Mill Lane', 'Quay Court'], /^Fire alarm test: Mill Lane/],
  ])(
    '%s takes three taps, and its receipt says of what it is and when the next one is due',
    async (...given) => {
      const [, names, row] = given;
      const page = await begin(await sitesWith({ name: 'Front Door', type: 'call_point' }, [...names]));
      await tap(page, due(page).getByRole('link', { name: row }));
      await tap(page, page.getByRole('button', { name: 'Pass', exact: true }));
      await tap(page, page.getByRole('button', { name: /^Record test/ }));
      await page.getByText('Log number').waitFor();
      expect(await tapsOf(page)).toBe(3);
      const receipt = page.getByRole('main').getByRole('status').filter({ hasText: 'Log number' });
      const said = (await receipt.allInnerTexts()).join(' ');
      expect(said).toContain(`Front Door · ${names.length === 1 ? 'Harbour House' : 'Mill Lane'} · `);
      expect(said).toMatch(/Next due by\s+\w{3} \d{2}, \d{4}/);
    },
  );
});

test('a reading of the water takes three taps and its number', async () => {
  const person = await sitesWith({ name: 'Kitchen tap', type: 'water_outlet' }, [
    'Harbour House',
    'Mill Lane',
  ]);
  const page = await begin(person);
  await tap(page, due(page).getByRole('link', { name: /^Water temperature.*: Mill Lane/ }));
  await tap(page, temperature(page, 'Kitchen tap'));
  await page.keyboard.type('18.5');
  await tap(page, page.getByRole('button', { name: /^Record/ }));
  await page.getByText('Log number').waitFor();
  expect(await tapsOf(page)).toBe(3);
});

describe('a task', () => {
  async function overdueTask() {
    const { server } = setting;
    const site = await createBuilding(server.services, { name: 'Harbour House' });
    const other = await createBuilding(server.services, { name: 'Mill Lane' });
    const manager = await createPerson(server.services, { role: 'manager', buildings: [site.id, other.id] });
    const client = createTestClient(server.url, await signInAs(server, manager));
    const tasks = tasksOf(client, site.id, clock);
    const made = await tasks.add('Service', { lastDone: addDays(tasks.today(), -10) });
    const page = await begin(manager);
    await tap(page, page.getByRole('button', { name: 'Menu', exact: true }));
    await tap(page, page.getByRole('menuitem', { name: 'Compliance' }));
    await tap(page, page.getByRole('link', { name: 'Harbour House' }));
    await task(page, 'Service').waitFor();
    return { page, tasks, client, ...made };
  }

  test('takes four taps to complete', async () => {
    const { page, taskNumber, tasks, id } = await overdueTask();
    await tap(page, page.getByRole('button', { name: `Complete ${taskNumber}` }));
    await page.getByText(taskMessages.completed).waitFor();
    expect(await tapsOf(page)).toBe(4);
    expect((await tasks.get(id)).completedOn).toBe(tasks.today());
  });

  test('takes five with a photo', async () => {
    const { page, taskNumber, tasks, client, id } = await overdueTask();
    const choosing = page.waitForEvent('filechooser');
    await tap(page, page.locator('label', { has: page.getByLabel(taskMessages.withPhoto(taskNumber)) }));
    const photo = { name: 'rope.png', mimeType: 'image/png', buffer: noisyPicture(60, 40) };
    await (await choosing).setFiles(photo);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /not sent yet/ }).waitFor();
    await tap(page, dialog.getByRole('button', { name: 'Complete', exact: true }));
    await page.getByText(taskMessages.completed).waitFor();
    expect(await tapsOf(page)).toBe(5);
    const onId = (await tasks.get(id)).completionId ?? '';
    const photos = async () => (await client.photos.list.query({ on: 'completion', onId })).data.length;
    await expect.poll(photos).toBe(1);
  });
});
