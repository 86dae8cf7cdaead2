import { beforeEach, describe, expect, test } from 'vitest';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { templateMessages } from '#shared/features/tasks/task-templates-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset } from '#tests/support/rows/checks.ts';
import type { TestBuilding, TestPerson } from '#tests/support/rows/factories.ts';
import { LOLER, missing, preview, template } from '#tests/support/screens/task-library.ts';
import { createTasksSite } from '#tests/support/screens/tasks-site.ts';
import type { TestClient } from '#tests/support/server/client.ts';

const setting = setUpWebSetting();
let site: TestBuilding;
let manager: TestPerson;
let client: TestClient;

beforeEach(async () => {
  ({ site, manager, client } = await createTasksSite(setting));
});

const lift = () => createAsset(setting.server.services, { buildingId: site.id, type: 'lift' });
const added = async () => (await client.tasks.list.query({ buildingId: site.id })).data.tasks;

describe('the library', () => {
  test('names what the register lacks, chooses nothing unasked, and adds exactly what the preview tells', async () => {
    await lift();
    await lift();
    const page = await setting.open(manager, `/compliance-details?building=${site.id}`);
    await page.getByRole('link', { name: 'Library', exact: true }).click();
    await page.getByRole('heading', { name: 'Statutory and recommended' }).waitFor();
    await missing(page).getByText(`2 lifts, no task: ${LOLER}`).waitFor();
    // Duties that depend on a fact that the register does not contain are listed separately.
    const toConfirm = page.getByRole('region', { name: templateMessages.toConfirm });
    await toConfirm.getByText('If: Residential, over 11 m').first().waitFor();
    expect(await missing(page).getByText('Fire Doors').count()).toBe(0);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await added()).toEqual([]);

    await page.getByRole('button', { name: templateMessages.selectMissing(1) }).click();
    expect(await template(page, LOLER).isChecked()).toBe(true);
    await template(page, 'Water Hygiene – Review of the legionella risk assessment').check();
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
    // The template is in use now, and not offered again.
    await page.getByText(templateMessages.nothingMissing).waitFor();
    expect(await template(page, LOLER).isDisabled()).toBe(true);
    expect(await page.getByText(templateMessages.inUse, { exact: true }).count()).toBe(2);
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
  expect(await page.getByRole('button', { name: 'Import 1 row' }).isDisabled()).toBe(true);
  await give(`${site.name},Lifts,LOLER,Every 6 months from completion,2026-01-02`);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByRole('heading', { name: importMessages.done(1) }).waitFor();
  await other.getByText(templateMessages.nothingMissing).waitFor();
  expect(await added()).toMatchObject([
    { frequency: 'P6M/completion', completedOn: '2026-01-02', due: '2026-07-02' },
  ]);
});
