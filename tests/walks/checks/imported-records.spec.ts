import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { importedMessages } from '#shared/features/checks/imported-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { dayClock } from '#tests/support/server/clock.ts';
import { bringUnsent, unsentFileOf } from '#tests/support/server/unsent.ts';

const clock = dayClock();

// An imported record is marked as not confirmed until the person named in it has confirmed it.

const KIND = 'fire_alarm_test' as const;
const setting = setUpWebSetting({ clock });
let harbour: TestBuilding;
let adminCookie: string;

beforeAll(async () => {
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  const admin = await createPerson(services, { role: 'admin', firstName: 'Ada', lastName: 'Lovell' });
  adminCookie = await signInAs(setting.server, admin);
});

async function broughtFor(personId: string, place: string): Promise<void> {
  const entries = [{ ...lineOf(KIND, 'pass', uuidv7()), assetId: null, locationTested: place }];
  const now = clock.now().toISOString();
  const visit = visitOf(KIND, { buildingId: harbour.id, now, entries });
  await bringUnsent(setting.server.url, adminCookie, unsentFileOf(personId, 'checks.record', visit));
}

const mark = (page: Page, says: string) => page.getByText(`Imported by Ada Lovell, ${says}`).first();

test('the person named confirms one record and disputes another, and the log says so live', async () => {
  const { services } = setting.server;
  const named = { role: 'manager', firstName: 'Mary', lastName: 'Ward', buildings: [harbour.id] };
  const mary = await createPerson(services, named);
  const viewer = await createPerson(services, { role: 'viewer', buildings: [harbour.id] });
  await broughtFor(mary.id, 'Front Door');

  const log = await setting.open(viewer, '/logbook/fire-alarm');
  await mark(log, 'not confirmed').waitFor();
  const sync = await setting.open(mary, '/sync');
  const mine = sync.getByRole('list', { name: importedMessages.mine }).getByRole('listitem');
  await mine.getByText('Harbour House').waitFor();
  await mine.getByText('Front Door').waitFor();
  await mine.getByRole('button', { name: importedMessages.confirm }).click();
  await mine.getByText('Confirmed', { exact: true }).waitFor();
  await mark(log, 'not confirmed').waitFor({ state: 'detached' });

  // This record is imported while the page is open.
  await broughtFor(mary.id, 'Boiler Room');
  await mark(log, 'not confirmed').waitFor();
  await mine.getByRole('button', { name: importedMessages.dispute }).click();
  const asked = sync.getByRole('dialog', { name: importedMessages.disputeTitle });
  await asked.getByRole('button', { name: importedMessages.dispute }).click();
  await mine.getByText('Disputed', { exact: true }).waitFor();
  await mark(log, 'disputed').waitFor();
  expect(await mine.count()).toBe(2);
});
