import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERIODS_MAX, periodOf, periodsOfYear } from '#shared/check-periods.ts';
import { addDays } from '#shared/dates.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { WALL_WEEKS, type WallWeek } from '#shared/features/displays/wall.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createDisplay, displayHeaders, type TestDisplay } from '#tests/support/rows/displays.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createManyChecks } from '#tests/support/rows/many-checks.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { cellsOf } from '#web/features/checks/log-book/grid/grid-labels.ts';

// A Wednesday; its week began on Friday 13 November, so the last whole one ended on Thursday 12 November.
const NOW = '2026-11-18T10:00:00.000Z';
const ADDED = '2026-10-20T10:00:00.000Z';
const FLUSHING = 'outlet_flushing';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let person: TestPerson;
let admin: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock(ADDED);
  server = await startTestServer(database, { clock });
  person = await createPerson(server.services, { role: 'admin' });
  clock.set(NOW);
  admin = createTestClient(server.url, await signInAs(server, person));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function yearOf(display: TestDisplay): Promise<WallWeek[]> {
  const response = await fetch(`${server.url}/trpc/checks.pastWeeks`, {
    headers: displayHeaders(server.url, display),
  });
  return (await response.json()).result.data.data;
}

async function flush(buildingId: string, outlet: string, ...days: string[]): Promise<void> {
  for (const visitDate of days) {
    const entries = [lineOf(FLUSHING, 'pass', outlet)];
    const performedAt = `${visitDate}T09:00:00.000Z`;
    const values = { buildingId, now: NOW, visitDate, performedAt, entries };
    await admin.checks.record.mutate(visitOf(FLUSHING, values));
  }
}

async function planFlushing(buildingId: string, step: { from: string; isDue: boolean; times: number }) {
  // A schedule can be set only from a future day on.
  clock.set(`${addDays(step.from, -1)}T10:00:00.000Z`);
  await admin.checks.setSchedule.mutate({ operationId: uuidv7(), buildingId, kind: FLUSHING, ...step });
  clock.set(NOW);
}

describe('the year of a display', () => {
  test('counts whole weeks since a building was added, and what was not done in them', async () => {
    clock.set(ADDED);
    const { id } = await createBuilding(server.services);
    clock.set(NOW);
    const { id: outlet } = await createAsset(server.services, { buildingId: id, type: 'water_outlet' });
    await flush(id, outlet, '2026-10-22', '2026-11-02', '2026-11-16');
    const weeks = await yearOf(await createDisplay(server.services, { buildings: [id] }));
    expect(weeks).toHaveLength(WALL_WEEKS);
    expect(weeks[0]?.end).toBe(addDays('2026-11-12', -7 * (WALL_WEEKS - 1)));
    // Each week: the flushing, and the alarm test, which is due at any building. 31 October is a Saturday: the water
    // temperatures of the month are due by then, in the week that ends on 5 November.
    expect(weeks.slice(-5)).toEqual([
      { end: '2026-10-15', due: 0, done: 0 },
      { end: '2026-10-22', due: 2, done: 1 },
      { end: '2026-10-29', due: 2, done: 0 },
      { end: '2026-11-05', due: 3, done: 1 },
      { end: '2026-11-12', due: 2, done: 0 },
    ]);
    expect(weeks.slice(0, -4).every(({ due }) => due === 0)).toBe(true);
  });

  test('asks for a flushing twice a week where the schedule does, and for none where it is not due', async () => {
    clock.set(ADDED);
    const [twice, never] = [await createBuilding(server.services), await createBuilding(server.services)];
    clock.set(NOW);
    const outletAt = async ({ id }: { id: string }) =>
      (await createAsset(server.services, { buildingId: id, type: 'water_outlet' })).id;
    const [outlet] = [await outletAt(twice), await outletAt(never)];
    const changes = { isHealthcare: { from: false, to: true } };
    await admin.locations.updateBuilding.mutate({ operationId: uuidv7(), id: twice.id, changes });
    await planFlushing(twice.id, { from: '2026-10-23', isDue: true, times: 2 });
    await planFlushing(never.id, { from: '2026-10-23', isDue: false, times: 1 });
    await flush(twice.id, outlet, '2026-10-26', '2026-10-28', '2026-11-03');
    const [atTwice, atNever] = [
      await yearOf(await createDisplay(server.services, { buildings: [twice.id] })),
      await yearOf(await createDisplay(server.services, { buildings: [never.id] })),
    ];
    expect(atTwice.slice(-3).map(({ due, done }) => [due, done])).toEqual([
      [2, 1],
      [3, 0],
      [2, 0],
    ]);
    // Only the alarm test is left, and the water temperatures of October.
    expect(atNever.slice(-3).map(({ due }) => due)).toEqual([1, 2, 1]);
  });

  test('agrees with the year grids over many buildings, plans and gaps', async () => {
    const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
    const made = await createManyChecks(sql, { buildings: 24, recorder: person.id, now: new Date(NOW) });
    await sql.end();
    for (const [n, buildingId] of made.entries()) {
      if (n % 4 === 1) await planFlushing(buildingId, { from: '2026-06-05', isDue: false, times: 1 });
      if (n % 8 === 1) await planFlushing(buildingId, { from: '2026-08-07', isDue: true, times: 1 });
    }
    const shown = made.filter((_, n) => n % 3 > 0);
    const weeks = await yearOf(await createDisplay(server.services, { buildings: shown }));
    expect(weeks).toEqual(await fromGrids(shown, weeks));
    const sum = (of: 'due' | 'done') => weeks.reduce((all, week) => all + week[of], 0);
    expect(sum('done')).toBeGreaterThan(shown.length * 100);
    expect(sum('due')).toBeGreaterThan(sum('done'));
  });
});

/** The same weeks, counted from the year grids that a browser shows to an administrator. */
async function fromGrids(shown: readonly string[], of: WallWeek[]): Promise<WallWeek[]> {
  const weeks = of.map(({ end }) => ({ end, due: 0, done: 0 }));
  const { cards } = (await admin.checks.cards.query()).data;
  for (const { kind } of cards) {
    for (const year of [2025, 2026]) await addGrid(weeks, shown, kind, year);
  }
  return weeks;
}

async function addGrid(weeks: WallWeek[], shown: readonly string[], kind: CheckKind, year: number) {
  const { data } = await admin.checks.yearGrid.query({ kind, year });
  const periods = periodsOfYear(CHECK_VOCABULARY[kind].cadence, year);
  expect(periods.length).toBeLessThanOrEqual(PERIODS_MAX[CHECK_VOCABULARY[kind].cadence]);
  for (const site of data.sites.filter(({ buildingId }) => shown.includes(buildingId))) {
    const squares = cellsOf(site.cells, periods, { ...site, today: data.today });
    for (const [n, square] of squares.entries()) {
      const end = periodOf('weekly', periods[n]?.end ?? '').end;
      const week = weeks.find((each) => each.end === end);
      if (week === undefined || ['ahead', 'off', 'begun'].includes(square)) continue;
      week.due += 1;
      if (square === 'pass' || square === 'fail') week.done += 1;
    }
  }
}
