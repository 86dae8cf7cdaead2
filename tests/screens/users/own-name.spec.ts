import { afterAll, beforeAll, test } from 'vitest';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson } from '#tests/support/rows/factories.ts';

let setting: WebSetting;

beforeAll(async () => {
  setting = await createWebSetting();
});
afterAll(() => setting.end());

test('one’s own new name reaches one’s own other windows', async () => {
  const person = await createPerson(setting.server.services, {
    role: 'viewer',
    firstName: 'Vera',
    lastName: 'Viewer',
  });
  const other = await setting.open(person, '/dashboard');
  await other.locator('[data-live=live]').waitFor();
  const one = await setting.open(person, '/account');
  await one.getByLabel('First name').fill('Nova');
  await one.getByRole('button', { name: 'Save name' }).click();
  await one.getByText('Your name has been changed').waitFor();

  await other.getByRole('button', { name: 'User menu' }).click();
  await other.getByText('Nova Viewer').waitFor();
});
