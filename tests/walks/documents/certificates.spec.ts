import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { formatDay } from '#shared/dates.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson } from '#tests/support/rows/factories.ts';
import {
  CERTIFICATE,
  type CertificatesSite,
  certificate,
  createCertificatesSite,
} from '#tests/support/screens/certificates-site.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const setting = setUpWebSetting({ clock: dayClock() });
let here: CertificatesSite;

beforeEach(async () => {
  here = await createCertificatesSite(setting);
});

test('is attached by those who edit tasks; others see it at once, open it and save it', async () => {
  const buildings = [here.site.id];
  const viewer = await createPerson(setting.server.services, { role: 'viewer', buildings });
  const page = await here.openRecord(here.manager);
  const reader = await here.openRecord(viewer);
  expect(await reader.getByRole('button', { name: certificateMessages.attach }).count()).toBe(0);
  await here.attach(page, 'EICR.txt');
  await page.getByText(certificateMessages.attached(1)).waitFor();
  for (const window of [page, reader]) {
    const row = certificate(window, 'EICR.txt');
    await row.getByText(`Expires ${formatDay(here.validUntil)}`).waitFor();
  }
  expect(await here.stored()).toMatchObject([
    {
      fileName: 'EICR.txt',
      expiresOn: here.validUntil,
      proof: { taskId: here.report.id, taskNumber: here.report.taskNumber },
    },
  ]);

  await reader.getByRole('button', { name: 'EICR.txt', exact: true }).click();
  const preview = reader.getByRole('dialog', { name: 'EICR.txt' });
  await preview.getByText(CERTIFICATE).waitFor();
  await reader.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  await certificate(reader, 'EICR.txt').waitFor();
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('button', { name: certificateMessages.download('EICR.txt') }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('EICR.txt');
  expect(readFileSync(await download.path(), 'utf8')).toBe(CERTIFICATE);
});
