import { beforeAll, expect, test } from 'vitest';
import { PHONE } from '#tests/support/browser/pages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';

const setting = setUpWebSetting();
let harbour: TestBuilding;
let aisha: TestPerson;

beforeAll(async () => {
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House' });
  await createAsset(services, { buildingId: harbour.id, name: 'Basin tap', type: 'water_outlet' });
  aisha = await createPerson(services, { role: 'operative', buildings: [harbour.id] });
});

const DEVICES = [
  ['computer', 'at a desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', 'on a phone', PHONE],
  ['phone', 'where there is no more room', { viewport: { width: 360, height: 640 } }],
] as const;

test.each(DEVICES)('a sentence names the device as a %s %s', async (word, _where, options) => {
  const page = await setting.open(aisha, '/operative-tasks', options);
  await page.getByRole('region', { name: `On this ${word}` }).waitFor();
  // Screens that open without a connection must have been opened before.
  await page.goto('/sync');
  await page.getByText(`Everything that you saved on this ${word} has been received.`).waitFor();
  await page.goto(`/operative-tasks/outlet-flushing?site=${harbour.id}`);
  await page.getByRole('button', { name: 'Flushed', exact: true }).click();
  await page.getByText(new RegExp(`^Draft saved on this ${word} `)).waitFor();
  await page.context().setOffline(true);
  await page.getByText(`No signal — checks are saved on this ${word}`).waitFor();
  await page.getByRole('button', { name: /^Record/ }).click();
  await page.getByRole('heading', { name: `Saved on this ${word}` }).waitFor();
  const other = word === 'phone' ? 'computer' : 'phone';
  expect(await page.getByText(`this ${other}`).count()).toBe(0);
});
