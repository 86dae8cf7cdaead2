import { beforeEach, expect, test } from 'vitest';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { certificateMessages } from '#shared/features/tasks/certificate-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import {
  type CertificatesSite,
  certificate,
  createCertificatesSite,
} from '#tests/support/screens/certificates-site.ts';
import { item } from '#tests/support/screens/documents-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const setting = setUpWebSetting({ clock: dayClock() });
let here: CertificatesSite;

beforeEach(async () => {
  here = await createCertificatesSite(setting);
});

test('is read-only among the documents of its building', async () => {
  const page = await here.openRecord(here.manager);
  await here.attach(page, 'EICR.txt');
  await certificate(page, 'EICR.txt').waitFor();
  const admin = await createPerson(setting.server.services, { role: 'admin' });
  const general = `building=${here.site.id}&folder=discipline_general`;
  const manages = await setting.open(admin, `/user-management?tab=documents&${general}`);
  await item(manages, 'EICR.txt').getByText(browserMessages.certificate(here.report.taskNumber)).waitFor();
  await manages.getByRole('button', { name: 'Actions for EICR.txt' }).click();
  await manages.getByRole('menuitem', { name: 'Download' }).waitFor();
  expect(await manages.getByRole('menuitem').allTextContents()).toEqual(['Preview', 'Download', 'Details']);
});

test('of a completion that was undone stays, and no more can be attached', async () => {
  const page = await here.openRecord(here.manager);
  await here.attach(page, 'EICR.txt');
  await certificate(page, 'EICR.txt').waitFor();
  const { completionId } = await here.tasks.get(here.report.id);
  await here.client.tasks.undo.mutate({
    ...{ operationId: uuidv7(), id: here.report.id, lineId: completionId ?? '' },
    reason: 'Of another building',
  });
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: certificateMessages.attach }).count()).toBe(0);
  await certificate(page, 'EICR.txt').waitFor();
});

test('that cannot be sent is named in the record, and tried again there', async () => {
  const page = await here.openRecord(here.manager);
  let refusing = true;
  await page.route('**/api/uploadthing**', (route) =>
    refusing
      ? route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"invalid"}' })
      : route.continue(),
  );
  await here.attach(page, 'EICR.txt');
  const retry = page.getByRole('dialog').getByRole('button', { name: `${uploadMessages.retry}: EICR.txt` });
  await retry.waitFor();
  expect(await here.stored()).toEqual([]);
  refusing = false;
  await retry.click();
  await certificate(page, 'EICR.txt').waitFor();
  await retry.waitFor({ state: 'detached' });
});

test('a person who loses the building during an upload is told, and nothing is stored', async () => {
  const page = await here.openRecord(here.manager);
  const network = await page.context().newCDPSession(page);
  const slow = { latency: 0, downloadThroughput: -1, uploadThroughput: 1024 * 1024 };
  await network.send('Network.emulateNetworkConditions', { ...slow, offline: false });
  await here.attach(page, 'EICR.txt', 'x'.repeat(3 * 1024 * 1024));
  await page
    .getByText(/^[1-9]\d?%$/)
    .first()
    .waitFor();
  const admin = await createPerson(setting.server.services, { role: 'admin' });
  const others = createTestClient(setting.server.url, await signInAs(setting.server, admin));
  const access = { userId: here.manager.id, buildingId: here.site.id };
  await others.users.revoke.mutate({ operationId: uuidv7(), ...access });
  // The record is closed; the tray, which is on every screen, shows the failed upload.
  await page.getByRole('button', { name: `${uploadMessages.retry}: EICR.txt` }).waitFor();
  expect((await others.documents.ofTask.query({ taskId: here.report.id })).data).toEqual([]);
});
