import { parse } from 'csv-parse/sync';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { falseAlarms } from '#db/schema/checks/false-alarms.ts';
import { REBUILD_YEARS } from '#server/features/checks/log/rebuild-years.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { EntryOf } from '#shared/features/checks/index.ts';
import { falseAlarmMessages } from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createAsset, lineOf, visitOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { download } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A false alarm is part of the fire log: it is recorded, amended and exported like a test, but not counted as a test.

// A Wednesday, in winter time.
const NOW = '2026-11-18T10:00:00.000Z';
const YEAR = { kind: 'fire_alarm_test', year: 2026 } as const;

let database: TestDatabase;
let server: TestServer;
let site: TestBuilding;
let cookie: string;
let operative: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { clock: testClock(NOW) });
});
beforeEach(async () => {
  site = await createBuilding(server.services);
  cookie = await signInAs(
    server,
    await createPerson(server.services, { role: 'operative', buildings: [site.id] }),
  );
  operative = createTestClient(server.url, cookie);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Line = EntryOf<'false_alarm'>;
const lineWith = (values: Partial<Record<keyof Line, unknown>> = {}) => ({
  id: uuidv7(),
  photoIds: [],
  happenedAt: '07:40',
  source: 'detector',
  setOffBy: 'Kitchen detector',
  assetId: null,
  cause: 'Burnt toast',
  actionTaken: 'Evacuated, panel reset',
  notes: null,
  ...values,
});
function alarm(values: Partial<Record<keyof Line, unknown>> = {}, visitDate = '2026-11-18') {
  const performedAt = visitDate === '2026-11-18' ? NOW : `${visitDate}T18:00:00.000Z`;
  const entries = [lineWith(values)];
  return visitOf('false_alarm', { buildingId: site.id, now: NOW, visitDate, performedAt, entries });
}
async function linesOfFile(filter: object): Promise<Record<string, string>[]> {
  const text = await (await download(server.url, cookie, 'checks', filter)).text();
  return parse(text, { bom: true, columns: true });
}
const cells = async () => (await operative.checks.yearGrid.query(YEAR)).data.sites[0]?.cells ?? '';

test('a false alarm is one record of the fire log with a number of its own, however often it is sent, and raises nothing', async () => {
  const input = alarm();
  const receipts = await Promise.all(Array.from({ length: 5 }, () => operative.checks.record.mutate(input)));
  expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
  expect(receipts[0]).toMatchObject({ logNumber: 1, held: false, raised: [] });

  const { data: year } = await operative.checks.logYear.query({ ...YEAR, buildingId: site.id });
  expect(year.visits).toEqual([]);
  expect(year.incidents).toMatchObject([
    {
      kind: 'false_alarm',
      logNumber: 1,
      visitDate: '2026-11-18',
      operativeName: 'Aisha Khan',
      entries: [
        {
          subjectName: 'Kitchen detector',
          assetId: null,
          issueId: null,
          values: { happenedAt: '07:40', source: 'detector', cause: 'Burnt toast' },
        },
      ],
    },
  ]);
  const { data: thread } = await operative.checks.thread.query({ entryId: input.entries[0]?.id ?? '' });
  expect(thread).toMatchObject({ issue: null, visit: { kind: 'false_alarm' }, retestPassed: false });
});

test('a false alarm does not count as a test: not on a card, in the year or in the register', async () => {
  await operative.checks.record.mutate(alarm({}, '2026-11-10'));
  await operative.checks.record.mutate(alarm());
  const { data } = await operative.checks.cards.query();
  expect(data.cards).toHaveLength(4);
  expect(data.cards[0]).toMatchObject({ kind: 'fire_alarm_test', due: 1, lastDone: null });
  expect(await cells()).toMatch(/^-+$/);
  const { data: register } = await operative.checks.register.query({});
  expect(register.sites[0]?.checks.fire_alarm_test?.schedule).toMatchObject({ lastDone: null, isDue: true });
  // A week with nothing but a false alarm counts as missed, and can be explained like any other.
  const missed = { operationId: uuidv7(), id: uuidv7(), buildingId: site.id, kind: YEAR.kind };
  await operative.checks.explainMissed.mutate({ ...missed, day: '2026-11-10', reason: 'Closed' });
  expect(await cells()).toMatch(/^-+e-+$/);

  await server.services.db.execute(sql.raw(REBUILD_YEARS));
  expect(await cells()).toMatch(/^-+e-+$/);
  const schedules = await server.services.db.execute(
    sql`select kind from check_schedules where building_id = ${site.id}`,
  );
  expect(schedules).toHaveLength(0);
});

test('a call point that set it off is chosen; a detector of the same name is not that call point', async () => {
  const point = await createAsset(server.services, {
    buildingId: site.id,
    type: 'call_point',
    name: 'Kitchen',
  });
  const subjectOf = async (values: object) => {
    const input = alarm(values);
    await operative.checks.record.mutate(input);
    const { data } = await operative.checks.thread.query({ entryId: input.entries[0]?.id ?? '' });
    return data.visit.entries[0]?.assetId;
  };
  const chosen = { source: 'call_point', setOffBy: 'Kitchen', assetId: point.id };
  expect(await subjectOf(chosen)).toBe(point.id);
  expect(await subjectOf({ source: 'detector', setOffBy: 'kitchen' })).toBeNull();
});

test('in lists and files a false alarm is sorted among the tests by its day, page by page, and has no result', async () => {
  const { id } = await createAsset(server.services, { buildingId: site.id, type: 'call_point' });
  const tested = async (visitDate: string) => {
    const entries = [lineOf('fire_alarm_test', 'pass', id)];
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await operative.checks.record.mutate(
      visitOf('fire_alarm_test', { buildingId: site.id, now: NOW, visitDate, performedAt, entries }),
    );
  };
  await tested('2026-11-06');
  await operative.checks.record.mutate(alarm({}, '2026-11-07'));
  await tested('2026-11-13');
  await operative.checks.record.mutate(alarm({}, '2026-11-01'));
  const read = async (more: object) =>
    (
      await operative.checks.logRecords.query({
        filter: { kind: YEAR.kind, buildingId: site.id },
        ...more,
      })
    ).data;
  const first = await read({ limit: 3 });
  expect(first.visits.map(({ kind, visitDate }) => `${visitDate} ${kind}`)).toEqual([
    '2026-11-13 fire_alarm_test',
    '2026-11-07 false_alarm',
    '2026-11-06 fire_alarm_test',
  ]);
  const rest = await read({ limit: 3, cursor: first.nextCursor });
  expect(rest.visits.map(({ visitDate }) => visitDate)).toEqual(['2026-11-01']);
  const untested = { kind: YEAR.kind, buildingId: site.id, result: 'not_tested' } as const;
  expect((await operative.checks.logRecords.query({ filter: untested })).data.visits).toEqual([]);

  const found = (lines: Record<string, string>[]) =>
    lines
      .filter(({ Check }) => Check === 'False alarm')
      .map(({ Result, Tested, Details }) => [Result, Tested, Details]);
  const expected = [
    'false_alarm',
    'Kitchen detector',
    'Time: 07:40\nSet off by: Detector\nCause: Burnt toast\nAction taken: Evacuated, panel reset',
  ];
  expect(found(await linesOfFile({ ...YEAR, buildingId: site.id }))).toEqual([expected, expected]);
  expect(found(await linesOfFile({ kind: YEAR.kind }))).toEqual([expected, expected]);
});

test('a log is narrowed to its false alarms, or to its tests, in lists and files alike', async () => {
  const { id } = await createAsset(server.services, { buildingId: site.id, type: 'call_point' });
  const entries = [lineOf('fire_alarm_test', 'pass', id)];
  await operative.checks.record.mutate(
    visitOf('fire_alarm_test', { buildingId: site.id, now: NOW, entries }),
  );
  for (const day of ['2026-11-02', '2026-11-09', '2026-11-16']) {
    await operative.checks.record.mutate(alarm({}, day));
  }
  const filter = { ...YEAR, buildingId: site.id, entryKind: 'false_alarm' } as const;
  const daysOf = async (more: object) => {
    const { data } = await operative.checks.logRecords.query({ filter, ...more });
    expect(data.visits.every(({ kind }) => kind === 'false_alarm')).toBe(true);
    return { days: data.visits.map(({ visitDate }) => visitDate), cursor: data.nextCursor };
  };
  const first = await daysOf({ limit: 2 });
  expect(first.days).toEqual(['2026-11-16', '2026-11-09']);
  expect(await daysOf({ limit: 2, cursor: first.cursor })).toEqual({ days: ['2026-11-02'], cursor: null });
  // The export of a site's whole year has a line for each week; with a filter it contains only the records.
  expect((await linesOfFile(filter)).map(({ Check }) => Check)).toEqual(Array(3).fill('False alarm'));
  const tests = { ...filter, entryKind: 'fire_alarm_test' } as const;
  expect((await linesOfFile(tests)).map(({ Check }) => Check)).toEqual(['Fire alarm test']);
  // Neither a kind of another log nor a result matches an incident.
  for (const none of [{ entryKind: 'outlet_flushing' }, { result: 'pass' }] as const) {
    expect((await operative.checks.logRecords.query({ filter: { ...filter, ...none } })).data.visits).toEqual(
      [],
    );
  }
});

test('a false alarm is corrected by a further entry, like a test', async () => {
  const input = alarm();
  await operative.checks.record.mutate(input);
  const entry = lineWith({ cause: 'Steam of the dishwasher' }) as Line;
  const amendment = {
    kind: 'false_alarm',
    operationId: uuidv7(),
    entryId: input.entries[0]?.id ?? '',
    reason: 'The engineer found another cause',
    entry,
  } as const;
  expect(await operative.checks.amend.mutate(amendment)).toMatchObject({ version: 2, raised: [] });
  const { data } = await operative.checks.logYear.query({ ...YEAR, buildingId: site.id });
  expect(data.incidents[0]?.entries).toMatchObject([
    { values: { cause: 'Burnt toast' }, supersededBy: entry.id },
    { values: { cause: 'Steam of the dishwasher' }, amendReason: amendment.reason, supersededBy: null },
  ]);
  expect(await cells()).toMatch(/^-+$/);
  const ahead = { ...amendment, operationId: uuidv7(), entryId: entry.id };
  const later = { ...ahead, entry: { ...entry, id: uuidv7(), happenedAt: '23:00' } };
  expect((await refusalOf(operative.checks.amend.mutate(later))).fields).toEqual({
    'entry.happenedAt': checkMessages.timeInFuture,
  });
});

test('missing values are reported at their fields, and an alarm in the future is refused', async () => {
  const fieldsOf = async (values: object) =>
    (await refusalOf(operative.checks.record.mutate(alarm(values)))).fields;
  expect(await fieldsOf({ happenedAt: '7:40', source: 'toaster', setOffBy: ' ' })).toEqual({
    'entries.0.happenedAt': falseAlarmMessages.timeRequired,
    'entries.0.source': falseAlarmMessages.sourceRequired,
    'entries.0.setOffBy': falseAlarmMessages.setOffByRequired,
  });
  expect(await fieldsOf({ cause: '', actionTaken: undefined })).toMatchObject({
    'entries.0.cause': falseAlarmMessages.causeRequired,
  });
  expect(await fieldsOf({ happenedAt: '10:30' })).toEqual({
    'entries.0.happenedAt': checkMessages.timeInFuture,
  });
});

test('by a clock that was three hours ahead it happened when it was recorded, at the latest, and is marked', async () => {
  const ahead = '2026-11-18T13:00:00.000Z';
  const input = { ...alarm({ happenedAt: '12:50' }), performedAt: ahead, deviceNow: ahead };
  const { clockOffsetMs } = await operative.checks.record.mutate(input);
  expect(clockOffsetMs).toBe(3 * 3_600_000);
  const stored = await server.services.db
    .select({ happenedAt: falseAlarms.happenedAt })
    .from(falseAlarms)
    .where(eq(falseAlarms.visitId, input.visitId));
  expect(stored).toEqual([{ happenedAt: '10:00' }]);
});
