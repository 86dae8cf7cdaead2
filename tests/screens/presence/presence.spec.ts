import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PHONE } from '#tests/support/browser/pages.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { textFile, upload } from '#tests/support/screens/documents-screen.ts';
import { createDocumentsSite } from '#tests/support/screens/documents-site.ts';
import { live } from '#tests/support/screens/issues-screen.ts';

let setting: WebSetting;

beforeAll(async () => {
  setting = await createWebSetting();
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

async function twoPeople(role: 'manager' | 'operative') {
  const { services } = setting.server;
  const building = await createBuilding(services, { name: 'Harbour House' });
  const buildings = [building.id];
  const person = (firstName: string, lastName: string, own: 'manager' | 'operative' | 'viewer') =>
    createPerson(services, { role: own, firstName, lastName, buildings });
  const mona = await person('Mona', 'Manager', role);
  return { building, mona, vera: await person('Vera', 'Viewer', role === 'manager' ? 'viewer' : role) };
}

async function open(...[person, path, options]: Parameters<WebSetting['open']>): Promise<Page> {
  const page = await setting.open(person, path, options);
  await live(page);
  return page;
}

/** A form has its status in its own head on a phone. */
async function openForm(person: TestPerson, path: string): Promise<Page> {
  const page = await setting.open(person, path, PHONE);
  await page.locator('#content [data-live=live]').waitFor();
  return page;
}

test('live/T8 a form says who else is testing at the site, and nothing in it moves', async () => {
  const { building, mona, vera } = await twoPeople('operative');
  const { services } = setting.server;
  const at = { buildingId: building.id };
  await createAsset(services, { ...at, name: 'Front Door', type: 'call_point' });
  await createAsset(services, { ...at, name: 'Exit sign', type: 'emergency_light' });
  const form = (slug: string) => `/operative-tasks/${slug}?site=${building.id}`;
  const hers = await openForm(mona, form('fire-alarm'));
  const site = hers.getByRole('button', { name: /^Site: / });
  await site.waitFor();
  const before = (await site.boundingBox())?.y;

  const other = await openForm(vera, form('emergency-lighting'));
  await hers.getByText('Vera Viewer is testing at this site too').waitFor();
  await other.getByText('Mona Manager is testing at this site too').waitFor();
  expect((await site.boundingBox())?.y).toBe(before);
  await other.goto(form('fire-alarm'));
  await hers.getByText('Vera Viewer is filling in this form too').waitFor();
  await other.goto('/operative-tasks');
  await hers.getByText('Vera Viewer').waitFor({ state: 'detached' });
  expect((await site.boundingBox())?.y).toBe(before);
});

test('live/T8 a preview shows who else looks at the document', async () => {
  const { viewer, manage, reading, fire } = await createDocumentsSite(setting);
  const hers = await manage();
  await upload(hers, textFile('Plan.txt', 'Ground floor'));
  await hers.getByRole('link', { name: 'Plan.txt', exact: true }).click();
  await hers.getByRole('dialog', { name: 'Plan.txt' }).getByText('Ground floor').waitFor();
  const other = await open(viewer, reading(fire));
  await other.getByRole('link', { name: 'Plan.txt', exact: true }).click();
  const preview = other.getByRole('dialog', { name: 'Plan.txt' });
  await preview.getByRole('img', { name: /is looking at this document$/ }).waitFor();
  const seen = hers.getByRole('dialog').getByRole('img', { name: /is looking at this document$/ });
  await seen.waitFor();
  await other.keyboard.press('Escape');
  await seen.waitFor({ state: 'detached' });
});
