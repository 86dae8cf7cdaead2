import { and, eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { userLocationAccess } from '#db/schema/people.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { healthcareMessages } from '#shared/features/locations/locations-messages.ts';
import { setUpWebSetting } from '#tests/support/browser/web-setting.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { live } from '#tests/support/screens/issues-screen.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { dayClock } from '#tests/support/server/clock.ts';

const clock = dayClock();

// An administrator's decisions about checks in one window, and their effect in the windows of others.

const setting = setUpWebSetting({ clock });
let harbour: TestBuilding;
let ada: TestPerson;
let office: Page;

beforeAll(async () => {
  const { services } = setting.server;
  harbour = await createBuilding(services, { name: 'Harbour House', code: 'HAR' });
  ada = await createPerson(services, { role: 'admin', firstName: 'Ada', lastName: 'Lovell' });
});
beforeEach(async () => {
  office = await setting.open(ada, '/logbook');
});

function person(role: string, firstName: string): Promise<TestPerson> {
  const { services } = setting.server;
  return createPerson(services, { role, firstName, lastName: 'Holt', buildings: [harbour.id] });
}

/** Records a flushing of every outlet of the site, by a person with access. */
async function flushedToday(): Promise<void> {
  const { server } = setting;
  const api = createTestClient(server.url, await signInAs(server, await person('operative', 'Fay')));
  const { data } = await api.checks.register.query({ buildingIds: [harbour.id] });
  const outlets = data.sites[0]?.checks.outlet_flushing?.subjects ?? [];
  const entries = outlets.map(({ assetId }) => lineOf('outlet_flushing', 'pass', assetId ?? ''));
  await api.checks.record.mutate(
    visitOf('outlet_flushing', { buildingId: harbour.id, now: clock.now().toISOString(), entries }),
  );
}

describe('a correction of a lighting test', () => {
  test('says that the supply was not back after all: struck through and new, live', async () => {
    const { server } = setting;
    const label = emergencyLightingMessages.supplyRestored;
    const light = await createAsset(server.services, {
      buildingId: harbour.id,
      type: 'emergency_light',
      name: 'Stair light',
    });
    const api = createTestClient(server.url, await signInAs(server, await person('operative', 'Lou')));
    const line = lineOf('emergency_lighting_test', 'pass', light.id);
    const values = { buildingId: harbour.id, now: clock.now().toISOString(), entries: [line] };
    const visit = visitOf('emergency_lighting_test', values);
    await api.checks.record.mutate({ ...visit, supplyRestored: true } as never);
    const path = `/logbook/emergency-lighting?building=${harbour.id}&entry=${line.id}`;
    const [ours, theirs] = await Promise.all([
      setting.open(await person('manager', 'Max'), path),
      setting.open(await person('viewer', 'Viv'), path),
    ]);
    await live(theirs);
    const fact = (page: Page) => page.getByRole('dialog').locator('dl div').filter({ hasText: label });
    await fact(theirs).getByText('Yes').waitFor();
    await ours.getByRole('button', { name: 'Amend' }).click();
    const form = ours.getByRole('dialog', { name: logMessages.amendTitle });
    await form.getByLabel(label).selectOption('No');
    await form.getByLabel('Reason').fill('The breaker was off');
    await form.getByRole('button', { name: 'Save amendment' }).click();
    for (const page of [ours, theirs]) {
      const step = page.getByRole('listitem').filter({ hasText: 'The breaker was off' });
      await step.locator('del', { hasText: 'Yes' }).waitFor();
      await step.locator('ins', { hasText: 'No' }).waitFor();
      await fact(page).getByText('No', { exact: true }).waitFor();
    }
  });
});

describe('a held record', () => {
  test('is counted on the log book, read, accepted into the log, and told to the phone it came from', async () => {
    const { server } = setting;
    const rae = await person('operative', 'Rae');
    const { id: tap } = await createAsset(server.services, {
      buildingId: harbour.id,
      type: 'water_outlet',
      name: 'Basin tap',
    });
    const [phone, log] = await Promise.all([
      setting.open(rae, '/sync'),
      setting.open(await person('viewer', 'Vi'), `/logbook/water-temperature?building=${harbour.id}`),
    ]);
    await Promise.all([live(office), live(phone), live(log)]);
    const { db } = server.services;
    await db
      .delete(userLocationAccess)
      .where(and(eq(userLocationAccess.userId, rae.id), eq(userLocationAccess.buildingId, harbour.id)));
    const api = createTestClient(server.url, await signInAs(server, rae));
    const send = async (passes: 'pass' | 'fail') => {
      const entries = [lineOf('water_temperature_check', passes, tap)];
      const values = { buildingId: harbour.id, now: clock.now().toISOString(), entries };
      const visit = visitOf('water_temperature_check', values);
      await api.checks.record.mutate(visit);
      return visit.visitId;
    };
    const [good, bad] = [await send('pass'), await send('fail')];

    await office.getByRole('link', { name: `${heldMessages.title} 2` }).click();
    const card = (page: Page, id: string) => page.locator(`[data-held="${id}"]`);
    await card(office, good).getByText('14.2 °C').waitFor();
    await card(office, good).getByText(heldMessages.why.no_access).waitFor();
    await card(phone, good).getByText(heldMessages.waits).waitFor();

    await card(office, good)
      .getByRole('button', { name: /^Accept/ })
      .click();
    await office.getByRole('dialog').getByRole('button', { name: heldMessages.accept }).click();
    await card(office, good).waitFor({ state: 'detached' });
    await card(phone, good).getByText('Accepted', { exact: true }).waitFor();
    await log.getByRole('link', { name: /14.2/ }).click();
    await log.getByRole('dialog').getByText(heldMessages.letIn('Ada Lovell')).waitFor();

    await card(office, bad)
      .getByRole('button', { name: /^Refuse/ })
      .click();
    const dialog = office.getByRole('dialog');
    await dialog.getByLabel(heldMessages.reason).fill('Not that outlet');
    await dialog.getByRole('button', { name: heldMessages.refuse }).click();
    await card(phone, bad)
      .getByText(/Not that outlet/)
      .waitFor();
    await office.getByText(heldMessages.nothing).waitFor();
  });
});

describe('healthcare premises and schedules', () => {
  test('are set at the office and seen on a form and a card that are open elsewhere', async () => {
    const { services } = setting.server;
    await createAsset(services, {
      buildingId: harbour.id,
      type: 'water_outlet',
      name: 'Ward tap',
      outletKind: 'hot',
    });
    const [form, cards] = await Promise.all([
      setting.open(
        await person('operative', 'Olu'),
        `/operative-tasks/water-temperature?building=${harbour.id}`,
      ),
      setting.open(await person('manager', 'Maya'), '/logbook'),
    ]);
    await form
      .getByText(/at least 50 °C/)
      .first()
      .waitFor();
    await live(cards);

    await office.goto(`/locations?client=${harbour.clientId}&building=${harbour.id}`);
    const actions = office.getByRole('button', { name: 'Actions for Harbour House' });
    await actions.click();
    await office.getByRole('menuitem', { name: 'Edit' }).click();
    await office.getByRole('checkbox', { name: healthcareMessages.label }).check();
    await office.getByRole('button', { name: 'Save' }).click();
    await form
      .getByText(/at least 55 °C/)
      .first()
      .waitFor();

    const card = cards.locator('[data-kind=outlet_flushing]');
    await card.getByText('0 / 1').waitFor();
    await actions.click();
    await office.getByRole('menuitem', { name: 'Check Schedule' }).click();
    await office.getByRole('button', { name: 'Change: Outlet flushing' }).click();
    const dialog = office.getByRole('dialog', { name: 'Outlet flushing' });
    await dialog.getByLabel(scheduleMessages.howOften).selectOption('Twice weekly');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const kind = office.locator('[data-kind=outlet_flushing]');
    await kind.getByText('Twice weekly').waitFor();

    const [grid, site] = await Promise.all([
      setting.open(await person('viewer', 'Vera'), '/logbook/outlet-flushing'),
      setting.open(await person('viewer', 'Val'), `/logbook/outlet-flushing?building=${harbour.id}`),
    ]);
    await Promise.all([live(grid), live(site)]);
    await grid.getByRole('link', { name: /^Harbour House/ }).waitFor();
    await flushedToday();
    const square = grid.getByRole('gridcell', { name: /: partly done, so far$/ });
    await square.waitFor();
    expect(await square.count()).toBe(1);
    expect(await grid.getByRole('gridcell', { name: /: passed$/ }).count()).toBe(0);
    await site
      .getByRole('link', { name: /partly done, so far$/ })
      .first()
      .waitFor();
    await office.getByRole('button', { name: 'Change: Outlet flushing' }).click();
    await dialog.getByLabel(scheduleMessages.howOften).selectOption(scheduleMessages.notDue);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await kind.getByText(scheduleMessages.notDue).waitFor();
    await card.getByText(logMessages.noSites).waitFor();
    expect(await card.getByText('0 / 0').count()).toBe(1);
  });
});
