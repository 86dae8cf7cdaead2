import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A Wednesday; its week began on Friday 13 November.
const NOW = '2026-11-18T10:00:00.000Z';
const FLUSHING = 'outlet_flushing';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let adminPerson: TestPerson;
let admin: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock('2026-09-01T10:00:00.000Z');
  server = await startTestServer(database, { clock });
  adminPerson = await createPerson(server.services, { role: 'admin' });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Creates a site, existing since September, with an outlet and a person who has access to that site only. */
async function createSite(isHealthcare = false) {
  clock.set('2026-09-01T10:00:00.000Z');
  const { id } = await createBuilding(server.services);
  clock.set(NOW);
  admin = createTestClient(server.url, await signInAs(server, adminPerson));
  if (isHealthcare) {
    const changes = { isHealthcare: { from: false, to: true } };
    await admin.locations.updateBuilding.mutate({ operationId: uuidv7(), id, changes });
  }
  const { id: outlet } = await createAsset(server.services, { buildingId: id, type: 'water_outlet' });
  const person = await createPerson(server.services, { role: 'operative', buildings: [id] });
  const client = createTestClient(server.url, await signInAs(server, person));
  /** Records a flushing on each day. Returns the next due day on each receipt. */
  const flush = async (...days: string[]) => {
    const nextDue: (string | null)[] = [];
    for (const visitDate of days) {
      const entries = [lineOf(FLUSHING, 'pass', outlet)];
      const performedAt = `${visitDate}T09:00:00.000Z`;
      const values = { buildingId: id, now: NOW, visitDate, performedAt, entries };
      nextDue.push((await client.checks.record.mutate(visitOf(FLUSHING, values))).nextDue);
    }
    return nextDue;
  };
  const card = async (kind: CheckKind = FLUSHING) => {
    const found = (await client.checks.cards.query()).data.cards.find((each) => each.kind === kind);
    return { sites: found?.sites, due: found?.due, overdue: found?.overdue, unexplained: found?.unexplained };
  };
  const standing = async (kind: CheckKind = FLUSHING) =>
    (await client.checks.register.query({ buildingIds: [id] })).data.sites[0]?.checks[kind]?.schedule;
  const set = (values: { kind?: CheckKind; from: string; isDue?: boolean; times?: number }) =>
    admin.checks.setSchedule.mutate({
      operationId: uuidv7(),
      buildingId: id,
      kind: FLUSHING,
      isDue: true,
      times: 1,
      ...values,
    });
  const steps = async () => {
    const { data } = await admin.checks.schedule.query({ buildingId: id });
    return data.kinds
      .find(({ kind }) => kind === FLUSHING)
      ?.steps.map(({ dueSince: _since, ...step }) => step);
  };
  return { id, client, flush, card, standing, set, steps };
}

describe('without any setting', () => {
  test('a kind is due once in each of its periods, and the card and the site agree', async () => {
    const site = await createSite();
    await site.flush('2026-11-02');
    expect(await site.card()).toEqual({ sites: 1, due: 1, overdue: 1, unexplained: 1 });
    expect(await site.standing()).toMatchObject({ applies: true, isDue: true, isOverdue: true });
    await site.flush('2026-11-18');
    expect(await site.card()).toEqual({ sites: 1, due: 0, overdue: 0, unexplained: 1 });
    const { data } = await admin.checks.schedule.query({ buildingId: site.id });
    expect(data.kinds.map(({ kind }) => kind)).toHaveLength(4);
    expect(data.kinds.find(({ kind }) => kind === FLUSHING)).toMatchObject({
      applies: true,
      steps: [],
      timesAllowed: [1],
      earliest: '2026-11-13',
      standing: { isDue: false, lastDone: '2026-11-18' },
    });
  });
});

describe('twice a week', () => {
  test('is for healthcare premises alone', async () => {
    const plain = await createSite();
    const refusal = await refusalOf(plain.set({ from: '2026-11-18', times: 2 }));
    expect(refusal.fields).toEqual({ times: scheduleMessages.notSoOften });
    const site = await createSite(true);
    const fire = site.set({ kind: 'fire_alarm_test', from: '2026-11-18', times: 2 });
    expect((await refusalOf(fire)).fields).toEqual({ times: scheduleMessages.notSoOften });
  });

  test('is done on two days; what the week before was asked for is not asked for again', async () => {
    const site = await createSite(true);
    await site.flush('2026-11-10', '2026-11-14');
    expect(await site.card()).toMatchObject({ due: 0, overdue: 0 });
    await site.set({ from: '2026-11-18', times: 2 });
    expect(await site.card()).toMatchObject({ due: 1, overdue: 0 });
    expect(await site.standing()).toMatchObject({ isDue: true, isOverdue: false, nextDue: '2026-11-19' });
    // The week of 13 November is the 46th of the year. In the week before, one visit was due.
    const weeks = async () => {
      const { data } = await site.client.checks.yearGrid.query({ kind: FLUSHING, year: 2026 });
      return data.sites[0]?.cells.slice(44, 46);
    };
    expect(await weeks()).toBe('pq');
    // Two visits on the same day count as one.
    await site.flush('2026-11-14');
    expect(await site.card()).toMatchObject({ due: 1 });
    expect(await weeks()).toBe('pq');
    await site.flush('2026-11-18');
    expect(await site.card()).toMatchObject({ due: 0, overdue: 0 });
    expect(await site.standing()).toMatchObject({ isDue: false });
    expect(await weeks()).toBe('pp');
    // On 30 November, the week of 20 November has no visit, so the check has been overdue since its end.
    clock.set('2026-11-30T10:00:00.000Z');
    expect(await site.card()).toMatchObject({ due: 1, overdue: 1 });
    expect(await site.standing()).toMatchObject({ isDue: true, isOverdue: true, nextDue: '2026-11-26' });
    clock.set(NOW);
  });
});

describe('not due', () => {
  test('is said by the receipt, which otherwise names the end of the first period that is not complete', async () => {
    const site = await createSite(true);
    expect(await site.flush('2026-11-02', '2026-11-18')).toEqual(['2026-11-12', '2026-11-26']);
    await site.set({ from: '2026-11-18', times: 2 });
    expect(await site.flush('2026-11-18', '2026-11-14')).toEqual(['2026-11-12', '2026-11-26']);
    await site.set({ from: '2026-11-18', isDue: false });
    expect(await site.flush('2026-11-17')).toEqual([null]);
  });

  test('takes a site off the cards, the register and the year, and asks for no reason', async () => {
    const site = await createSite();
    await site.flush('2026-10-20');
    expect(await site.card()).toMatchObject({ sites: 1, due: 1, overdue: 1, unexplained: 3 });
    await site.set({ from: '2026-11-13', isDue: false });
    // Periods missed before stay missed.
    expect(await site.card()).toEqual({ sites: 0, due: 0, overdue: 0, unexplained: 3 });
    expect(await site.standing()).toMatchObject({ applies: false, isDue: false, isOverdue: false });
    clock.set('2026-12-09T10:00:00.000Z');
    expect(await site.card()).toMatchObject({ unexplained: 3 });
    const explain = (day: string) =>
      site.client.checks.explainMissed.mutate({
        operationId: uuidv7(),
        id: uuidv7(),
        buildingId: site.id,
        kind: FLUSHING,
        day,
        reason: 'Closed',
      });
    expect((await refusalOf(explain('2026-11-24'))).fields).toEqual({ day: checkMessages.notMissed });
    await explain('2026-11-10');
    expect(await site.card()).toMatchObject({ unexplained: 2 });

    // The check is due again from this day on; in the weeks in between it stays not due.
    await site.set({ from: '2026-12-09' });
    expect(await site.card()).toMatchObject({ sites: 1, due: 1, overdue: 0, unexplained: 2 });
    expect(await site.standing()).toMatchObject({ isDue: true, isOverdue: false, nextDue: '2026-12-10' });
    clock.set('2026-12-16T10:00:00.000Z');
    expect(await site.card()).toMatchObject({ due: 1, overdue: 1, unexplained: 3 });
    const { data } = await site.client.checks.logYear.query({
      kind: FLUSHING,
      year: 2026,
      buildingId: site.id,
    });
    expect(data.steps).toEqual([
      { from: '2026-11-13', isDue: false, times: 1, dueSince: null },
      { from: '2026-12-09', isDue: true, times: 1, dueSince: '2026-12-09' },
    ]);
    clock.set(NOW);
  });

  test('of a monthly kind goes by months', async () => {
    const kind = 'water_temperature_check';
    const site = await createSite();
    expect(await site.card(kind)).toMatchObject({ sites: 1, due: 1, overdue: 1 });
    await site.set({ kind, from: '2026-11-01', isDue: false });
    expect(await site.card(kind)).toMatchObject({ sites: 0, due: 0, overdue: 0 });
    // A site where the kind was never done and is not due has no row in the next year.
    const sites = async (year: number) =>
      (await site.client.checks.yearGrid.query({ kind, year })).data.sites.length;
    expect(await sites(2026)).toBe(1);
    expect(await sites(2027)).toBe(0);
  });
});

describe('a setting', () => {
  test('never reaches into a week that is over', async () => {
    const site = await createSite();
    const refusal = await refusalOf(site.set({ from: '2026-11-12', isDue: false }));
    expect(refusal.fields).toEqual({ from: scheduleMessages.fromTooEarly });
  });

  test('for later waits for its day, and gives way to what is set for an earlier one', async () => {
    const site = await createSite();
    await site.set({ from: '2026-12-01', isDue: false });
    expect(await site.card()).toMatchObject({ sites: 1 });
    expect(await site.steps()).toEqual([{ from: '2026-12-01', isDue: false, times: 1 }]);
    await site.set({ from: '2026-11-20', isDue: false });
    expect(await site.steps()).toEqual([{ from: '2026-11-20', isDue: false, times: 1 }]);
  });

  test('is a change of the building in Activity, and the same again is none', async () => {
    const site = await createSite();
    const { version } = await site.set({ from: '2026-11-18', isDue: false });
    expect((await site.set({ from: '2026-11-18', isDue: false })).version).toBe(version);
    const told = async () => {
      const filter = { buildingId: site.id, entity: 'building' } as const;
      const { data } = await admin.activity.list.query({ filter });
      return data.entries.filter(({ command }) => command === 'checks.setSchedule');
    };
    await expect.poll(told).toMatchObject([
      {
        changes: {
          schedule: ['Outlet flushing: weekly', 'Outlet flushing: not due, from Nov 18, 2026'],
        },
      },
    ]);
  });
});
