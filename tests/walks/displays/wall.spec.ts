import { afterEach, beforeAll, expect, test } from 'vitest';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { PANEL } from '#tests/support/screens/wall-screen.ts';
import { createWallSite, type WallSite } from '#tests/support/screens/wall-site.ts';

const setting = setUpWebSetting();
let here: WallSite;

beforeAll(async () => {
  here = await createWallSite(setting);
});
afterEach(() => here.clear());

test('a screen is paired with its code, follows every change, takes another view at once, and is blank once unpaired', async () => {
  const screen = await setting.window(null, PANEL);
  await screen.goto('/wall');
  await screen.getByText('Pair this screen').waitFor();
  const code = (await screen.locator('.code').textContent()) ?? '';

  const desk = await setting.open(here.admin, '/displays');
  await desk.getByRole('button', { name: 'Pair Display' }).click();
  await desk.getByLabel('Code on the screen').fill(code.toLowerCase());
  await desk.getByRole('button', { name: displayMessages.looked }).click();
  await desk.getByText(displayMessages.compare).waitFor();
  await desk.getByText('1920 × 1080').waitFor();
  await desk.getByLabel('Name', { exact: true }).fill('Reception');
  await desk.getByRole('button', { name: 'Pair', exact: true }).click();

  await screen.getByText('Nothing critical or high is open').waitFor();
  await here.report('Lift 2 stuck', 'critical');
  await screen.locator('.row').getByText('Lift 2 stuck').waitFor();
  await screen.locator('.band').getByText('New critical: Lift 2 stuck · Harbour House · just now').waitFor();
  await screen.locator('.figure', { hasText: 'Open issues' }).getByText('1 critical').waitFor();

  await desk.getByText('Last seen').waitFor();
  await desk.getByText('On', { exact: true }).waitFor();
  await desk.getByRole('button', { name: 'Actions for Reception' }).click();
  await desk.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('View', { exact: true }).selectOption('public');
  await dialog.getByLabel('Today - checks by building').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await screen.getByText('Critical, open').waitFor();
  expect(await screen.locator('#wall').textContent()).not.toContain('Lift 2 stuck');

  await desk.getByRole('button', { name: 'Actions for Reception' }).click();
  await desk.getByRole('menuitem', { name: 'Unpair' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Unpair' }).click();
  await screen.getByText('Pair this screen').waitFor();
  expect(await screen.locator('#wall').textContent()).not.toMatch(/Harbour|Lift/);
});
