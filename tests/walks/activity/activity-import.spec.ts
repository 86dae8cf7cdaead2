import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { activityMessages } from '#shared/features/activity/activity-messages.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

const setting = setUpWebSetting();
let server: TestServer;
let building: TestBuilding;
let admin: TestPerson;
let asAdmin: TestClient;

beforeAll(async () => {
  ({ server } = setting);
  building = await createBuilding(server.services, { name: 'Harbour House' });
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Smith' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
});

const report = (title: string, id = uuidv7()) =>
  asAdmin.issues.create.mutate({ operationId: uuidv7(), id, buildingId: building.id, title });

async function give(page: Page, name: string, content: string | Buffer): Promise<void> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : content;
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

describe('Activity', () => {
  test('shows at once what another person does, and keeps it waiting while the reader is further down', async () => {
    const page = await setting.window(admin);
    await page.goto('/activity');
    await page.getByText(activityMessages.none).waitFor();
    const id = uuidv7();
    await report('Leaking tap', id);
    await page.getByText('Leaking tap').waitFor();
    await asAdmin.issues.update.mutate({
      operationId: uuidv7(),
      id,
      changes: { status: { from: 'open', to: 'in_progress' } },
    });
    await page.getByText('In Progress').waitFor();
    for (let n = 0; n < 60; n += 1) await report(`Issue ${n}`);
    await page.getByText('Issue 59').waitFor();
    await page.mouse.wheel(0, 600);
    await page.waitForFunction(() => window.scrollY > 400);
    await report('While reading');
    await page.getByRole('button', { name: activityMessages.fresh(1) }).click();
    await page.getByText('While reading').waitFor();
    await page.mouse.wheel(0, 20_000);
    await page.getByText(activityMessages.end).waitFor();
  });

  test('is narrowed by kind, in the address', async () => {
    await report('Broken pane');
    const page = await setting.window(admin);
    await page.goto('/activity');
    await page.getByText('Broken pane').waitFor();
    await page.getByLabel('Kind').selectOption('asset');
    await page.getByText(activityMessages.noneMatch).waitFor();
    expect(page.url()).toContain('kind=asset');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByText('Broken pane').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^activity-.*\.csv$/);
  });
});

describe('Import', () => {
  test('shows each fault first, imports nothing until all are right, and what is imported shows in another window', async () => {
    const page = await setting.window(admin);
    await page.goto('/import?kind=assets');
    await give(
      page,
      'assets.csv',
      'Building Name,Name,Description\nHarbour House,Lamp,A lamp\nNowhere,Lamp,A lamp',
    );
    await page.getByText(importMessages.faulty(1)).waitFor();
    await page.getByText(importMessages.buildingUnknown('Nowhere')).waitFor();
    expect(await page.getByRole('button', { name: 'Import 2 rows' }).isDisabled()).toBe(true);

    const other = await setting.window(admin);
    await other.goto('/asset-management');
    await other.getByText(assetMessages.none).waitFor();
    await give(
      page,
      'assets.csv',
      'Building Name,Name,Description\nHarbour House,Lamp,A lamp\nHarbour House,Door,A door',
    );
    await page.getByText(importMessages.ready(2)).waitFor();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: importMessages.done(2) }).waitFor();
    await other.getByText('Lamp', { exact: true }).first().waitFor();

    // The exported list contains nothing new; with one more line, only that line is new.
    const exported = await (await page.request.get(`${server.url}/files/export/assets.csv`)).text();
    await give(page, 'assets.csv', exported);
    await page.getByText(importMessages.nothingNew({ here: 2, ended: 0 })).waitFor();
    await page.getByText(importMessages.passedOver(['Retired'])).waitFor();
    await page.getByRole('cell', { name: 'Here already' }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Import / }).count()).toBe(0);
    await give(page, 'assets.csv', `${exported},Harbour House,,,Bell,A bell,,,,,,\r\n`);
    await page.getByText(importMessages.skipped({ here: 2, ended: 0 })).waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: importMessages.done(1) }).waitFor();
    await page.getByText(importMessages.skipped({ here: 2, ended: 0 })).waitFor();
  });

  test('refuses a file of another encoding and one that is too large, before anything is sent', async () => {
    const page = await setting.window(admin);
    await page.goto('/import?kind=clients');
    await give(page, 'latin.csv', Buffer.from('Client\nCaf\u00e9', 'latin1'));
    await page.getByText(importMessages.notUtf8).waitFor();
    await give(page, 'large.csv', Buffer.alloc(11 * 1024 * 1024, 97));
    await page.getByText(importMessages.tooLarge(10)).waitFor();
  });
});
