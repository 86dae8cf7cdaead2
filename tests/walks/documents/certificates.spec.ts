import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays, formatDay } from '#shared/dates.ts';
import { certificateMessages } from '#shared/features/certificate-messages.ts';
import type { Task } from '#shared/features/tasks.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createWebSetting, type WebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, type TestPerson } from '#tests/support/rows/factories.ts';
import { textFile } from '#tests/support/screens/documents-screen.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { COMPLIANCE } from '#tests/support/screens/tasks-screen.ts';
import { createTasksSite, type TasksSite } from '#tests/support/screens/tasks-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const VALID_UNTIL_DAYS = 700;

let setting: WebSetting;
let here: TasksSite;
let viewer: TestPerson;
let report: Task;

beforeAll(async () => {
  setting = await createWebSetting({ clock: dayClock() });
});
beforeEach(async () => {
  here = await createTasksSite(setting);
  viewer = await createPerson(setting.server.services, { role: 'viewer', buildings: [here.site.id] });
  report = await here.tasks.add('Condition report', {
    complianceSystem: 'Electrical Installation',
    frequency: 'P60M/stated',
  });
  await here.client.tasks.complete.mutate({
    ...{ operationId: uuidv7(), id: report.id, occurrence: report.occurrence, day: here.today },
    stated: addDays(here.today, VALID_UNTIL_DAYS),
  });
});
afterEach(() => setting.closeWindows());
afterAll(() => setting.end());

const completion = () => `Completed on ${formatDay(here.today)}`;
async function openRecord(who: TestPerson): Promise<Page> {
  const page = await setting.open(who, `${COMPLIANCE}?building=${here.site.id}&task=${report.id}`);
  await live(page);
  await page.getByRole('dialog').getByText(completion()).waitFor();
  return page;
}
const attach = (page: Page, name: string, body = 'No observations of code C1 or C2.') =>
  page
    .getByLabel(certificateMessages.attachTo(completion()), { exact: true })
    .and(page.locator('input'))
    .setInputFiles(textFile(name, body));
const certificates = (page: Page) => page.getByRole('list', { name: certificateMessages.title });
const certificate = (page: Page, name: string) =>
  certificates(page).getByRole('listitem').filter({ hasText: name });
const stored = async () => (await here.client.documents.ofTask.query({ taskId: report.id })).data;

test('is attached by those who edit tasks; others see it at once, open it and save it', async () => {
  const page = await openRecord(here.manager);
  const reader = await openRecord(viewer);
  expect(await reader.getByRole('button', { name: certificateMessages.attach }).count()).toBe(0);
  await attach(page, 'EICR.txt');
  await page.getByText(certificateMessages.attached(1)).waitFor();
  for (const window of [page, reader]) {
    const row = certificate(window, 'EICR.txt');
    await row.getByText(`Expires ${formatDay(addDays(here.today, VALID_UNTIL_DAYS))}`).waitFor();
  }
  expect(await stored()).toMatchObject([
    {
      fileName: 'EICR.txt',
      expiresOn: addDays(here.today, VALID_UNTIL_DAYS),
      proof: { taskId: report.id, taskNumber: report.taskNumber },
    },
  ]);

  await reader.getByRole('button', { name: 'EICR.txt', exact: true }).click();
  const preview = reader.getByRole('dialog', { name: 'EICR.txt' });
  await preview.getByText('No observations of code C1 or C2.').waitFor();
  await reader.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  await reader.getByRole('dialog').getByText(completion()).waitFor();
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: certificateMessages.download('EICR.txt') }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('EICR.txt');
  expect(readFileSync(await download.path(), 'utf8')).toBe('No observations of code C1 or C2.');
});
