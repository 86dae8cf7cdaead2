import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REBUILD_YEARS } from '#server/features/checks/log/rebuild-years.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { CHECK_KINDS } from '#shared/features/checks/kinds.vocabulary.ts';
import { REGISTER_BUILDINGS_MAX } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CHECKS_NOW, type CheckSetting, createCheckSetting } from '#tests/support/rows/check-setting.ts';
import { createAsset, lineOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

// Records as the log, the register and the cards show them.

let setting: CheckSetting;
let server: TestServer;
let operative: TestClient;
let admin: TestClient;

beforeAll(async () => {
  setting = await createCheckSetting();
  ({ server, operative, admin } = setting);
});
afterAll(() => setting.end());

describe('a year of the log', () => {
  const kind = 'fire_alarm_test' as const;
  let site: TestBuilding;

  async function tested(visitDate: string, result: 'pass' | 'fail', point: string) {
    const line = { ...lineOf(kind, result, uuidv7()), assetId: null, locationTested: point };
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await admin.checks.record.mutate(
      setting.visit(kind, { buildingId: site.id, visitDate, performedAt, entries: [line] }),
    );
  }
  async function cells(year: number): Promise<string> {
    const { data } = await admin.checks.yearGrid.query({ kind, year });
    return data.sites.find(({ buildingId }) => buildingId === site.id)?.cells ?? '';
  }

  beforeAll(async () => {
    site = await createBuilding(server.services);
    await tested('2025-01-03', 'pass', 'A');
    await tested('2025-01-02', 'pass', 'A');
    // A failure with a passed retest in the same week, and one without.
    await tested('2025-01-10', 'fail', 'A');
    await tested('2025-01-11', 'pass', 'B');
    await tested('2025-01-16', 'pass', 'A');
    await tested('2025-01-17', 'fail', 'A');
    await tested('2025-01-18', 'pass', 'B');
  });

  test.each([
    [2025, 52],
    [2026, 52],
    [2027, 53],
    [2032, 53],
  ])('%i has %i weeks', async (year, weeks) => {
    expect(await cells(year)).toHaveLength(weeks);
  });

  test('each week has its cell status, and 2 January 2025 falls in the last week of 2024', async () => {
    expect((await cells(2025)).slice(0, 4)).toBe('ppf-');
    expect((await cells(2024)).at(-1)).toBe('p');
    const { data } = await admin.checks.logYear.query({ kind, year: 2025, buildingId: site.id });
    expect(data.visits[0]?.visitDate).toBe('2025-01-03');
    expect(data.startsOn).toBe('2025-01-02');
    expect(data.visits).toHaveLength(6);
  });

  test('a week without a record is explained once, and only once it is over', async () => {
    const explain = (day: string) =>
      admin.checks.explainMissed.mutate({
        operationId: uuidv7(),
        id: uuidv7(),
        buildingId: site.id,
        kind,
        day,
        reason: 'Building closed',
      });
    await explain('2025-01-30');
    expect((await cells(2025)).slice(0, 5)).toBe('ppfe-');
    expect((await refusalOf(explain('2025-01-25'))).code).toBe('duplicate');
    expect((await refusalOf(explain('2025-01-05'))).fields).toEqual({ day: checkMessages.notMissed });
    expect((await refusalOf(explain('2026-11-18'))).fields).toEqual({ day: checkMessages.notMissed });
    const { data } = await admin.checks.logYear.query({ kind, year: 2025, buildingId: site.id });
    expect(data.missed).toMatchObject([{ start: '2025-01-24', reason: 'Building closed' }]);
    // A late record takes precedence over the reason.
    await tested('2025-01-25', 'pass', 'A');
    expect((await cells(2025))[3]).toBe('p');
  });
});

test('the register holds what is checked at the sites, and what came last', async () => {
  const site = await createBuilding(server.services);
  const light = await setting.subject('emergency_lighting_test', { buildingId: site.id });
  const hot = await setting.subject('water_temperature_check', { buildingId: site.id, outletKind: 'hot' });
  await setting.subject('emergency_lighting_test', { buildingId: site.id, retiredAt: CHECKS_NOW });
  await setting.subject('fire_alarm_test', { buildingId: site.id, name: 'Porch' });
  const point = { operationId: uuidv7(), id: uuidv7(), buildingId: site.id, name: 'Roof door' };
  await admin.checks.addTestPoint.mutate(point);
  const taken = { ...point, operationId: uuidv7(), id: uuidv7(), name: 'ROOF DOOR' };
  expect((await refusalOf(admin.checks.addTestPoint.mutate(taken))).fields).toEqual({
    name: checkMessages.pointTaken,
  });
  const line = {
    ...lineOf('emergency_lighting_test', 'fail', light.id),
    testType: 'monthly_function' as const,
    minutes: null,
  };
  await admin.checks.record.mutate(
    setting.visit('emergency_lighting_test', { buildingId: site.id, entries: [line] }),
  );
  const { data } = await admin.checks.register.query({ buildingIds: [site.id] });
  const [found] = data.sites;
  expect(data).toMatchObject({ today: '2026-11-18', more: false, kinds: [...CHECK_KINDS] });
  expect(found?.checks.fire_alarm_test?.subjects.map(({ name }) => name)).toEqual(['Porch', 'Roof door']);
  expect(found?.checks.emergency_lighting_test?.subjects).toMatchObject([
    { assetId: light.id, last: { day: '2026-11-18', result: 'fail', values: { passed: false } } },
  ]);
  expect(found?.checks.emergency_lighting_test?.schedule).toEqual({
    applies: true,
    lastDone: '2026-11-18',
    nextDue: '2026-12-31',
    isDue: false,
    isOverdue: false,
    times: 1,
  });
  expect(found?.checks.water_temperature_check?.subjects).toMatchObject([
    { assetId: hot.id, limits: { min: 50, max: null }, last: null },
  ]);
  expect(found?.checks.water_temperature_check?.schedule).toMatchObject({
    isDue: true,
    nextDue: '2026-11-30',
  });
  // A site of other people is missing from the answer, without an error.
  expect((await operative.checks.register.query({ buildingIds: [site.id] })).data.sites).toEqual([]);
});

test('the register includes the site of an asset, however many sites a person has', async () => {
  const names = Array.from(
    { length: REGISTER_BUILDINGS_MAX + 2 },
    (_, n) => `Many ${String(n).padStart(2, '0')}`,
  );
  const sites = await Promise.all(names.map((name) => createBuilding(server.services, { name })));
  const person = await createPerson(server.services, {
    role: 'operative',
    buildings: sites.map(({ id }) => id),
  });
  const client = createTestClient(server.url, await signInAs(server, person));
  const last = sites.at(-1)?.id ?? '';
  const { id: assetId } = await createAsset(server.services, { buildingId: last, type: 'emergency_light' });
  const first = (await client.checks.register.query({})).data;
  expect([first.more, first.sites.some(({ buildingId }) => buildingId === last)]).toEqual([true, false]);
  const { data } = await client.checks.register.query({ assetId });
  expect(data.sites.map(({ buildingId }) => buildingId)).toEqual([last]);
  expect(data.sites[0]?.checks.emergency_lighting_test?.subjects).toMatchObject([{ assetId }]);
  // An asset of other people is at no site.
  expect((await operative.checks.register.query({ assetId })).data.sites).toEqual([]);
});

test('the cards count sites, due checks and unexplained missed periods', async () => {
  const site = await createBuilding(server.services, { name: 'Quay Court' });
  const person = await createPerson(server.services, { role: 'operative', buildings: [site.id] });
  const client = createTestClient(server.url, await signInAs(server, person));
  const dueAt = (isOverdue: boolean) => [{ id: site.id, name: 'Quay Court', isOverdue }];
  const card = async () => (await client.checks.cards.query()).data.cards[0];
  expect(await card()).toMatchObject({
    kind: 'fire_alarm_test',
    sites: 1,
    due: 1,
    overdue: 0,
    dueSites: dueAt(false),
    lastDone: null,
  });
  const line = { ...lineOf('fire_alarm_test', 'pass', uuidv7()), assetId: null };
  const performedAt = '2026-10-30T10:00:00.000Z';
  const late = { visitDate: '2026-10-30', performedAt, buildingId: site.id, entries: [line] };
  await client.checks.record.mutate(setting.visit('fire_alarm_test', late));
  // The week of 6 November is over; that of 13 November is the current one.
  expect(await card()).toMatchObject({
    due: 1,
    overdue: 1,
    dueSites: dueAt(true),
    lastDone: '2026-10-30',
    unexplained: 1,
  });
  const now = { buildingId: site.id, entries: [{ ...line, id: uuidv7() }] };
  await client.checks.record.mutate(setting.visit('fire_alarm_test', now));
  expect(await card()).toMatchObject({
    due: 0,
    overdue: 0,
    dueSites: [],
    lastDone: '2026-11-18',
    unexplained: 1,
  });
});

test('records are filtered by result, operative, month and site, page by page', async () => {
  const site = await createBuilding(server.services);
  const kind = 'outlet_flushing' as const;
  const { id } = await setting.subject(kind, { buildingId: site.id });
  for (const [visitDate, operativeName, result] of [
    ['2026-09-04', 'Tom Baker', 'pass'],
    ['2026-10-02', 'Tom Baker', 'fail'],
    ['2026-10-09', 'Aisha Khan', 'pass'],
  ] as const) {
    const entries = [lineOf(kind, result, id)];
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await admin.checks.record.mutate(
      setting.visit(kind, { buildingId: site.id, visitDate, performedAt, operativeName, entries }),
    );
  }
  const days = async (filter: object, page: object = {}) => {
    const asked = { kind, buildingId: site.id, ...filter };
    const { data } = await admin.checks.logRecords.query({ filter: asked, ...page });
    return data.visits.map(({ visitDate }) => visitDate);
  };
  expect(await days({})).toEqual(['2026-10-09', '2026-10-02', '2026-09-04']);
  expect(await days({ result: 'fail' })).toEqual(['2026-10-02']);
  expect(await days({ operative: 'baker' })).toEqual(['2026-10-02', '2026-09-04']);
  expect(await days({ year: 2026, month: 10 })).toEqual(['2026-10-09', '2026-10-02']);
  expect(await days({ year: 2025 })).toEqual([]);
  expect(await days({ assetId: id, result: 'pass' })).toEqual(['2026-10-09', '2026-09-04']);
  const { data: first } = await admin.checks.logRecords.query({
    filter: { kind, buildingId: site.id },
    limit: 2,
  });
  const { data: rest } = await admin.checks.logRecords.query({
    filter: { kind, buildingId: site.id },
    limit: 2,
    ...(first.nextCursor === null ? {} : { cursor: first.nextCursor }),
  });
  expect(rest.visits.map(({ visitDate }) => visitDate)).toEqual(['2026-09-04']);
  expect(rest.nextCursor).toBeNull();
});

test('a record is found by what any of its lines came to, corrected or not', async () => {
  const kind = 'outlet_flushing' as const;
  const site = await createBuilding(server.services);
  const [tap, shower] = await Promise.all([
    setting.subject(kind, { buildingId: site.id }),
    setting.subject(kind, { buildingId: site.id }),
  ]);
  const recordOn = async (visitDate: string, ...entries: unknown[]) => {
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await admin.checks.record.mutate(
      setting.visit(kind, { buildingId: site.id, visitDate, performedAt, entries }),
    );
  };
  const wrong = lineOf(kind, 'fail', tap.id);
  await recordOn('2026-10-02', lineOf(kind, 'fail', tap.id), lineOf(kind, 'pass', shower.id));
  await recordOn('2026-10-03', lineOf(kind, 'pass', tap.id));
  await recordOn('2026-10-09', wrong);
  const { id, photoIds: _none, ...entry } = lineOf(kind, 'pass', tap.id);
  await admin.checks.amend.mutate({
    operationId: uuidv7(),
    kind,
    entryId: wrong.id,
    reason: 'Misread',
    entry: { id, ...entry },
  });
  const days = async (result: 'pass' | 'fail' | 'not_tested', more: object = {}) => {
    const { data } = await admin.checks.logRecords.query({
      filter: { kind, buildingId: site.id, result, ...more },
    });
    return data.visits.map(({ visitDate }) => visitDate);
  };
  expect(await days('fail')).toEqual(['2026-10-09', '2026-10-02']);
  expect(await days('fail', { year: 2026, month: 10 })).toEqual(['2026-10-09', '2026-10-02']);
  expect(await days('fail', { year: 2025 })).toEqual([]);
  expect(await days('pass')).toEqual(['2026-10-09', '2026-10-03', '2026-10-02']);
  expect(await days('not_tested')).toEqual([]);
});

test('the sites that are missing in a period are counted, and the first named, as each person sees them', async () => {
  const kind = 'fire_alarm_test' as const;
  const sites = await Promise.all(
    Array.from({ length: 10 }, (_, n) => createBuilding(server.services, { name: `Missing ${n}` })),
  );
  const buildings = sites.map((site) => site.id);
  const person = await createPerson(server.services, { role: 'manager', buildings });
  const client = createTestClient(server.url, await signInAs(server, person));
  const missing = async (day: string) => (await client.checks.missing.query({ kind, day })).data;
  const first = await missing('2026-11-18');
  expect(first.total).toBe(10);
  expect(first.sites.map(({ name }) => name)).toEqual(Array.from({ length: 8 }, (_, n) => `Missing ${n}`));
  const [one = '', two = '', three = ''] = buildings;
  const line = (result: 'pass' | 'fail') => [
    { ...lineOf(kind, result, uuidv7()), assetId: null, locationTested: 'Yard' },
  ];
  await client.checks.record.mutate(setting.visit(kind, { buildingId: one, entries: line('pass') }));
  // A failure is a record too, and a reason closes the gap of a past week.
  await client.checks.record.mutate(setting.visit(kind, { buildingId: two, entries: line('fail') }));
  const reason = { operationId: uuidv7(), id: uuidv7(), buildingId: three, kind, reason: 'Closed' };
  await client.checks.explainMissed.mutate({ ...reason, day: '2026-11-11' });
  const now = await missing('2026-11-13');
  expect(now).toMatchObject({
    total: 8,
    sites: [{ name: 'Missing 2' }, {}, {}, {}, {}, {}, {}, { name: 'Missing 9' }],
  });
  expect((await missing('2026-11-11')).total).toBe(9);
});

test('nothing of a record can be changed or deleted, not even in the database', async () => {
  const { id } = await setting.subject('fire_alarm_test');
  const line = lineOf('fire_alarm_test', 'pass', id);
  await operative.checks.record.mutate(setting.visit('fire_alarm_test', { entries: [line] }));
  for (const statement of [
    sql`delete from operative_visits`,
    sql`delete from check_entries where id = ${line.id}`,
    sql`update fire_alarm_tests set passed = false where id = ${line.id}`,
    sql`update check_entries set result = 'fail' where id = ${line.id}`,
    sql`update operative_visits set open_seconds = 600`,
    sql`update operative_visits set filled_at_once = null, filled_of = null`,
  ]) {
    await expect(server.services.db.execute(statement)).rejects.toThrow();
  }
});

test('cell statuses computed for all periods at once equal those updated with each record', async () => {
  for (const kind of CHECK_KINDS) {
    const { id: buildingId } = await createBuilding(server.services);
    const { id } = await setting.subject(kind, { buildingId });
    for (const result of ['fail', 'pass'] as const) {
      const entries = [lineOf(kind, result, id)];
      await admin.checks.record.mutate(setting.visit(kind, { buildingId, entries }));
    }
    // At another site, a second subject has no record in this period, and had none in the period before.
    const { id: other } = await createBuilding(server.services);
    const { id: tested } = await setting.subject(kind, { buildingId: other });
    await setting.subject(kind, { buildingId: other });
    for (const visitDate of ['2026-10-06', '2026-11-18']) {
      const entries = [lineOf(kind, 'pass', tested)];
      await admin.checks.record.mutate(
        setting.visit(kind, {
          buildingId: other,
          entries,
          visitDate,
          performedAt: `${visitDate}T09:00:00.000Z`,
        }),
      );
    }
  }
  const kept = async () => [
    ...(await server.services.db.execute(
      sql`select kind, year, building_id, cells from check_years order by 1, 2, 3`,
    )),
    ...(await server.services.db.execute(
      sql`select building_id, kind, first_done_on::text, last_done_on::text, last_complete_on::text
        from check_schedules order by 1, 2`,
    )),
  ];
  const before = await kept();
  expect(before.length).toBeGreaterThan(20);
  await server.services.db.execute(sql`delete from check_years`);
  await server.services.db.execute(sql`delete from check_schedules`);
  await server.services.db.execute(sql.raw(REBUILD_YEARS));
  expect(await kept()).toEqual(before);
});
