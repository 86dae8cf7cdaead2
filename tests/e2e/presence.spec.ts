import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBuilding, createPerson } from '#tests/support/factories.ts';
import { card, openDetails, reportByHand } from '#tests/support/issues-screen.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;

beforeAll(async () => {
  setting = await createWebSetting();
});
afterAll(() => setting.end());

test('live/T8 who has an issue open is seen by the others, on its card and in it, while they do', async () => {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  const buildings = [building.id];
  const mona = await createPerson(services, {
    role: 'manager',
    firstName: 'Mona',
    lastName: 'Manager',
    buildings,
  });
  const vera = await createPerson(services, {
    role: 'viewer',
    firstName: 'Vera',
    lastName: 'Viewer',
    buildings,
  });
  const board = `/building-issues?building=${building.id}`;
  const hers = await setting.open(mona, board);
  await hers.locator('[data-live=live]').waitFor();
  const other = await setting.open(vera, board);
  await other.locator('[data-live=live]').waitFor();
  await reportByHand(hers, 'Harbour House', 'Lift 2 stuck');

  await openDetails(hers, 'Lift 2 stuck');
  const monaThere = { name: 'Mona Manager has this issue open' };
  await card(other, 'Open', 'Lift 2 stuck').getByRole('img', monaThere).waitFor();
  const details = await openDetails(other, 'Lift 2 stuck');
  await details.getByRole('img', monaThere).waitFor();
  await hers.getByRole('dialog').getByRole('img', { name: 'Vera Viewer has this issue open' }).waitFor();
  // People do not see themselves.
  expect(await hers.getByRole('img', monaThere).count()).toBe(0);

  // A person who opens a link sees at once who is there.
  const [address] = other.url().split('#');
  await other.goto('/dashboard');
  await hers
    .getByRole('dialog')
    .getByRole('img', { name: 'Vera Viewer has this issue open' })
    .waitFor({ state: 'hidden' });
  await other.goto(address ?? '');
  await other.getByRole('dialog').getByRole('img', monaThere).waitFor();

  await hers.keyboard.press('Escape');
  await other.getByRole('dialog').getByRole('img', monaThere).waitFor({ state: 'hidden' });
});
