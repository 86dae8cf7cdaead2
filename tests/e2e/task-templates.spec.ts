import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { importMessages } from '#shared/features/imports-messages.ts';
import { TASK_TEMPLATES } from '#shared/features/task-templates.ts';
import { templateMessages } from '#shared/features/task-templates-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createAsset } from '#tests/support/checks.ts';
import { createTestClient, type TestClient } from '#tests/support/client.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/factories.ts';
import { rare, test } from '#tests/support/sweep.ts';
import { createWebSetting, type WebSetting } from '#tests/support/web-setting.ts';

let setting: WebSetting;
let site: TestBuilding;
let manager: TestPerson;
let client: TestClient;

const LOLER = 'Lifting Equipment – LOLER thorough examination: lifts for people, accessories';
const operation = () => ({ operationId: uuidv7() });

beforeAll(async () => {
  setting = await createWebSetting();
});
beforeEach(async () => {
  const { server } = setting;
  site = await createBuilding(server.services);
  manager = await createPerson(server.services, { role: 'manager', buildings: [site.id] });
  client = createTestClient(server.url, await signInAs(server, manager));
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const lift = () => createAsset(setting.server.services, { buildingId: site.id, type: 'lift' });
const missing = (page: Page) => page.getByRole('region', { name: templateMessages.missing });
const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Choose ${name}` });
const preview = (page: Page, n: number) =>
  page.getByRole('button', { name: templateMessages.preview(n) }).click();
const added = async () => (await client.tasks.list.query({ buildingId: site.id })).data.tasks;

describe('the library', () => {
  test('names what the register lacks, chooses nothing unasked, and adds exactly what the preview tells', async () => {
    await lift();
    await lift();
    const page = await setting.open(manager, `/compliance-details?building=${site.id}`);
    await page.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('heading', { name: 'Statutory and recommended' }).waitFor();
    await missing(page).getByText(`2 lifts, no task: ${LOLER}`).waitFor();
    // What hangs on a fact that the register does not tell stands apart.
    const toConfirm = page.getByRole('region', { name: templateMessages.toConfirm });
    await toConfirm.getByText('If: Residential, over 11 m').first().waitFor();
    expect(await missing(page).getByText('Fire Doors').count()).toBe(0);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await added()).toEqual([]);

    await page.getByRole('button', { name: templateMessages.selectMissing(1) }).click();
    expect(await choose(page, LOLER).isChecked()).toBe(true);
    await choose(page, 'Water Hygiene – Review of the legionella risk assessment').check();
    await preview(page, 2);
    const list = page.getByRole('list', { name: 'To be added' });
    await list.getByText(LOLER).waitFor();
    expect(await list.getByText(/^First due /).count()).toBe(2);
    expect(await added()).toEqual([]);
    await page.getByRole('button', { name: templateMessages.add(2) }).click();
    await page.getByText(templateMessages.added(2)).waitFor();
    expect((await added()).map(({ templateId }) => templateId).sort()).toEqual([
      'legionella-review',
      'loler-people',
    ]);
    // It is in use now, and not offered again.
    await page.getByText(templateMessages.nothingMissing).waitFor();
    expect(await choose(page, LOLER).isDisabled()).toBe(true);
    expect(await page.getByText(templateMessages.inUse, { exact: true }).count()).toBe(2);
  });

  rare('follows what others do: an asset, a task, and the same templates at the same time', async () => {
    const colleague = await createPerson(setting.server.services, { role: 'manager', buildings: [site.id] });
    const [one, two] = [
      await setting.open(manager, `/task-templates?building=${site.id}`),
      await setting.open(colleague, `/task-templates?building=${site.id}`),
    ];
    await two.getByText(templateMessages.nothingRegistered).waitFor();
    const id = uuidv7();
    await client.assets.create.mutate({
      ...operation(),
      ...{ id, buildingId: site.id, name: 'Lift A', description: 'For people', floorId: null, type: 'lift' },
    });
    for (const page of [one, two]) {
      await missing(page).getByText(`1 lift, no task: ${LOLER}`).waitFor();
      await page.getByRole('button', { name: templateMessages.selectMissing(1) }).click();
      await choose(page, 'Asbestos – Review of the register').check();
      await preview(page, 2);
      await page.getByRole('list', { name: 'To be added' }).getByText(LOLER).waitFor();
    }
    // The second presses before it has heard of the first.
    const both = [one, two].map((page) =>
      page.getByRole('button', { name: templateMessages.add(2) }).click({ timeout: 5_000 }),
    );
    await Promise.allSettled(both);
    await expect.poll(async () => (await added()).length).toBe(2);
    for (const page of [one, two]) {
      const told = [templateMessages.added(2), templateMessages.addedByOthers, templateMessages.allInUse];
      await page
        .getByText(new RegExp(told.map(escaped).join('|')))
        .first()
        .waitFor();
    }
    expect(await added()).toHaveLength(2);
  });

  rare('what another adds while the preview is open is left out of it', async () => {
    const page = await setting.open(manager, `/task-templates?building=${site.id}`);
    await choose(page, 'Asbestos – Review of the register').check();
    await choose(page, 'Fire Dampers – Drop test and cleaning').check();
    await preview(page, 2);
    await page.getByRole('button', { name: templateMessages.add(2) }).waitFor();
    const templateIds = ['asbestos-register-review'];
    await client.tasks.applyTemplates.mutate({ ...operation(), buildingId: site.id, templateIds });
    await page.getByRole('list', { name: 'Left out' }).getByText('Asbestos').waitFor();
    await page.getByRole('button', { name: templateMessages.add(1) }).click();
    await page.getByText(templateMessages.added(1)).waitFor();
    expect(await added()).toHaveLength(2);
  });

  rare('shows what is not in force, is searched, and keeps building and filter in the address', async () => {
    const page = await setting.open(manager, `/task-templates?building=${site.id}`);
    await page.getByText(templateMessages.count(TASK_TEMPLATES.length, TASK_TEMPLATES.length)).waitFor();
    const drill = choose(page, 'Protection from Terrorism – Drill of public protection procedures');
    expect(await drill.isDisabled()).toBe(true);
    await page.getByLabel('Search the library...').fill('gas safe');
    await page.getByText(templateMessages.count(2, TASK_TEMPLATES.length)).waitFor();
    await page.getByLabel('Filter by basis').selectOption('standard');
    await page.getByText(templateMessages.noneMatch).waitFor();
    expect(page.url()).toContain('q=gas+safe&class=standard');
    await page.reload();
    await page.getByText(templateMessages.noneMatch).waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await drill.waitFor();
    expect(page.url()).toContain(`building=${site.id}`);
  });

  rare('without a building is there to read; another building begins with nothing chosen', async () => {
    const other = await createBuilding(setting.server.services);
    const admin = await createPerson(setting.server.services, { role: 'admin' });
    const page = await setting.open(admin, '/task-templates');
    await page.getByText(templateMessages.chooseBuilding).waitFor();
    const asbestos = choose(page, 'Asbestos – Review of the register');
    expect(await asbestos.isDisabled()).toBe(true);
    const pick = async (name: string) => {
      await page.getByRole('button', { name: /^Building: / }).click();
      await page.getByRole('option', { name }).click();
    };
    await pick(site.name);
    await asbestos.check();
    await page.getByText(templateMessages.selected(1)).waitFor();
    await pick(other.name);
    await page.getByText(templateMessages.selected(1)).waitFor({ state: 'detached' });
    expect(await asbestos.isChecked()).toBe(false);
  });

  test('is not for those who may not add tasks', async () => {
    const viewer = await createPerson(setting.server.services, { role: 'viewer', buildings: [site.id] });
    const page = await setting.open(viewer, '/task-templates');
    await page.waitForURL('**/dashboard');
  });
});

test('a file of tasks is checked and imported, and what it is about is no longer missing in another window', async () => {
  await lift();
  const other = await setting.open(manager, `/task-templates?building=${site.id}`);
  await missing(other).getByText(LOLER).waitFor();
  const page = await setting.open(manager, '/compliance-details');
  await page.getByRole('link', { name: 'Import' }).click();
  const header = 'Building Name,System,Description,Frequency,Last Done';
  const give = async (...rows: string[]) => {
    const buffer = Buffer.from([header, ...rows].join('\n'));
    await page.getByLabel('CSV file').setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer });
  };
  await give(`${site.name},Lifts,LOLER,sometimes,2026-01-02`);
  await page.getByText(importMessages.frequencyUnknown).waitFor();
  expect(await page.getByRole('button', { name: 'Import 1 row(s)' }).isDisabled()).toBe(true);
  await give(`${site.name},Lifts,LOLER,Every 6 months from completion,2026-01-02`);
  await page.getByRole('button', { name: 'Import 1 row(s)' }).click();
  await page.getByRole('heading', { name: importMessages.done(1) }).waitFor();
  await other.getByText(templateMessages.nothingMissing).waitFor();
  expect(await added()).toMatchObject([
    { frequency: 'P6M/completion', completedOn: '2026-01-02', due: '2026-07-02' },
  ]);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
