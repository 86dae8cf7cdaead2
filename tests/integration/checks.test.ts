import { parse } from 'csv-parse/sync';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { checkTables, tablesHoldTheirEntries } from '#db/schema/checks/index.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { REBUILD_YEARS } from '#server/features/checks/rebuild-years.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { fireAlarmMessages } from '#shared/features/checks/kinds/fire-alarm.vocabulary.ts';
import { CHECK_KINDS, type CheckKind, isOptional } from '#shared/features/checks/kinds.vocabulary.ts';
import { REGISTER_BUILDINGS_MAX } from '#shared/features/checks/queries.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createAsset, KINDS_WITH_TYPE, lineOf, visitOf } from '#tests/support/checks.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/client.ts';
import { type TestClock, testClock } from '#tests/support/clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/factories.ts';
import { download } from '#tests/support/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server.ts';

// A Wednesday, in winter time.
const NOW = '2026-11-18T10:00:00.000Z';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let building: TestBuilding;
let other: TestBuilding;
let operativePerson: TestPerson;
let operative: TestClient;
let manager: TestClient;
let admin: TestClient;
let adminCookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock(NOW);
  // All optional kinds are enabled.
  server = await startTestServer(database, {
    clock,
    env: { optionalChecks: CHECK_KINDS.filter(isOptional) },
  });
  [building, other] = [await createBuilding(server.services), await createBuilding(server.services)];
  const client = async (person: TestPerson) => createTestClient(server.url, await signInAs(server, person));
  const person = (role: string, ...buildings: string[]) => createPerson(server.services, { role, buildings });
  operativePerson = await person('operative', building.id);
  operative = await client(operativePerson);
  manager = await client(await person('manager', building.id));
  const named = { role: 'admin', firstName: 'Ada', lastName: 'Lovell' };
  adminCookie = await signInAs(server, await createPerson(server.services, named));
  admin = createTestClient(server.url, adminCookie);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Values = Partial<Parameters<typeof visitOf>[1]>;

/** Builds a visit at the building, on the current day. */
function visit(kind: CheckKind, values: Values = {}) {
  return visitOf(kind, { buildingId: building.id, now: clock.now().toISOString(), entries: [], ...values });
}
function subject(kind: CheckKind, values: Partial<Parameters<typeof createAsset>[1]> = {}) {
  const type = KINDS_WITH_TYPE.find(([each]) => each === kind)?.[1] ?? 'asset';
  return createAsset(server.services, { buildingId: building.id, type, ...values });
}
async function readBack(kind: CheckKind, visitId: string, client = manager) {
  const { data } = await client.checks.logRecords.query({ filter: { kind }, limit: 200 });
  return data.visits.find(({ id }) => id === visitId);
}

/** Returns the exported log, one record per line keyed by column name. */
async function exported(filter: object): Promise<Record<string, string>[]> {
  const text = await (await download(server.url, adminCookie, 'checks', filter)).text();
  return parse(text, { bom: true, columns: true });
}

test('every kind has a table that holds its lines', () => {
  expect(Object.keys(tablesHoldTheirEntries)).toEqual(Object.keys(checkTables));
});

describe.each(CHECK_KINDS)('%s', (kind) => {
  test('a pass is recorded, and read back as it was given', async () => {
    const { id: assetId, name } = await subject(kind);
    const line = lineOf(kind, 'pass', assetId);
    const input = visit(kind, { entries: [line] });
    const receipt = await operative.checks.record.mutate(input);
    expect(receipt).toMatchObject({ id: input.visitId, version: 1, held: false, late: false, raised: [] });
    expect(receipt.logNumber).toBeGreaterThan(0);

    const back = await readBack(kind, input.visitId);
    expect(back).toMatchObject({
      kind,
      logNumber: receipt.logNumber,
      buildingId: building.id,
      visitDate: '2026-11-18',
      operativeName: 'Aisha Khan',
      recordedBy: operativePerson.id,
      clockWrong: false,
      result: 'pass',
    });
    const { id, photoIds, notes, ...values } = line;
    expect(back?.entries).toEqual([
      expect.objectContaining({
        id,
        photoIds,
        notes,
        assetId,
        subjectKey: assetId,
        result: 'pass',
        issueId: null,
      }),
    ]);
    expect(back?.entries[0]?.values).toMatchObject(values);
    if (kind !== 'fire_alarm_test') expect(back?.entries[0]?.subjectName).toBe(name);
  });

  test('a failure raises an issue, a second one joins it, and the next pass is their retest', async () => {
    const { id: assetId } = await subject(kind);
    const failed = lineOf(kind, 'fail', assetId);
    const first = await operative.checks.record.mutate(visit(kind, { entries: [failed] }));
    expect(first.raised).toEqual([
      { entryId: failed.id, issueId: expect.any(String), referenceNumber: expect.any(String), joined: false },
    ]);
    const issueId = first.raised[0]?.issueId ?? '';
    const { data: issue } = await manager.issues.get.query({ id: issueId });
    expect(issue).toMatchObject({
      source: 'check',
      reportedBy: null,
      status: 'open',
      buildingId: building.id,
    });
    const priorities = {
      fire_alarm_test: 'critical',
      emergency_lighting_test: 'high',
      water_temperature_check: 'medium',
      outlet_flushing: 'medium',
      call_point_visual_check: 'high',
    } as const satisfies Record<CheckKind, string>;
    expect(issue.priority).toBe(priorities[kind]);
    expect((await manager.checks.ofIssue.query({ issueId })).data.settled).toBe(false);

    const again = await operative.checks.record.mutate(
      visit(kind, { entries: [lineOf(kind, 'fail', assetId)] }),
    );
    expect(again.raised).toMatchObject([{ issueId, joined: true, referenceNumber: issue.referenceNumber }]);

    const pass = lineOf(kind, 'pass', assetId);
    const retest = visit(kind, { entries: [pass] });
    await operative.checks.record.mutate(retest);
    const back = await readBack(kind, retest.visitId);
    expect(back?.entries[0]?.retestOf).toBe(again.raised[0]?.entryId);
    expect((await manager.checks.ofIssue.query({ issueId })).data).toMatchObject({ settled: true });

    const { data: thread } = await manager.checks.thread.query({ entryId: failed.id });
    expect(thread.retestPassed).toBe(true);
    expect(thread.issue).toMatchObject({ id: issueId, status: 'open' });
    expect(thread.story.map(({ entry }) => entry.result)).toEqual(['fail', 'fail', 'pass']);
    const { data: mine } = await operative.checks.raisedByMine.query();
    expect(mine.filter((raised) => raised.issueId === issueId)).toHaveLength(1);
  });

  test('the same submission sent ten times at once is one record with ten equal receipts', async () => {
    const { id: assetId } = await subject(kind);
    const input = visit(kind, { entries: [lineOf(kind, 'fail', assetId)] });
    const receipts = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        // The device's clock advances between attempts.
        operative.checks.record.mutate({
          ...input,
          deviceNow: new Date(Date.parse(NOW) + n).toISOString(),
          ageMs: n,
        }),
      ),
    );
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    const rows = await server.services.db
      .select({ id: operativeVisits.id })
      .from(operativeVisits)
      .where(eq(operativeVisits.id, input.visitId));
    expect(rows).toHaveLength(1);
  });

  test('an asset retired meanwhile keeps its record, flagged', async () => {
    const { id: assetId } = await subject(kind, { retiredAt: NOW });
    const input = visit(kind, { entries: [lineOf(kind, 'pass', assetId)] });
    await operative.checks.record.mutate(input);
    expect((await readBack(kind, input.visitId))?.entries[0]?.assetRetired).toBe(true);
  });

  test('an asset of another site is refused at its line', async () => {
    const foreign = await subject(kind, { buildingId: other.id });
    const refusal = await refusalOf(
      operative.checks.record.mutate(visit(kind, { entries: [lineOf(kind, 'pass', foreign.id)] })),
    );
    expect(refusal.code).toBe('invalid');
    expect(Object.values(refusal.fields ?? {})).toEqual([checkMessages.subjectUnknown]);
  });

  test('a correction strikes the original through and turns the result', async () => {
    const { id: assetId } = await subject(kind);
    const wrong = lineOf(kind, 'pass', assetId);
    const input = visit(kind, { entries: [wrong] });
    await operative.checks.record.mutate(input);
    const right = lineOf(kind, 'fail', assetId);
    const amendment = { kind, operationId: uuidv7(), entryId: wrong.id, reason: 'Misread', entry: right };
    const amended = await operative.checks.amend.mutate(amendment as never);
    expect(amended).toMatchObject({ id: input.visitId, version: 2, entryId: right.id });
    expect(amended.raised).toHaveLength(1);
    const back = await readBack(kind, input.visitId);
    expect(back).toMatchObject({ version: 2, result: 'fail' });
    expect(back?.entries).toMatchObject([
      { id: wrong.id, result: 'pass', supersededBy: right.id },
      { id: right.id, result: 'fail', amends: wrong.id, amendReason: 'Misread', supersededBy: null },
    ]);
    const second = { ...amendment, operationId: uuidv7(), entry: lineOf(kind, 'pass', assetId) };
    const refusal = await refusalOf(operative.checks.amend.mutate(second as never));
    expect(refusal.fields).toEqual({ entryId: checkMessages.amendedAlready });
  });

  test('a date in the future is refused at its field', async () => {
    const { id: assetId } = await subject(kind);
    const refusal = await refusalOf(
      operative.checks.record.mutate(
        visit(kind, { visitDate: '2026-11-19', entries: [lineOf(kind, 'pass', assetId)] }),
      ),
    );
    expect(refusal.fields).toEqual({ visitDate: checkMessages.dateInFuture });
  });

  test('a clock three hours wrong is marked and put right', async () => {
    const { id: assetId } = await subject(kind);
    const ahead = '2026-11-18T13:00:00.000Z';
    const input = visit(kind, {
      performedAt: ahead,
      deviceNow: ahead,
      entries: [lineOf(kind, 'pass', assetId)],
    });
    const receipt = await operative.checks.record.mutate(input);
    expect(receipt.clockOffsetMs).toBe(3 * 3_600_000);
    expect(await readBack(kind, input.visitId)).toMatchObject({ clockWrong: true, performedAt: NOW });
  });

  test('a clock that was a day ahead and was put right since is stored as received, marked', async () => {
    const { id: assetId } = await subject(kind);
    const input = visit(kind, {
      visitDate: '2026-11-19',
      performedAt: '2026-11-19T12:00:00.000Z',
      entries: [lineOf(kind, 'pass', assetId)],
    });
    await operative.checks.record.mutate(input);
    expect(await readBack(kind, input.visitId)).toMatchObject({
      clockWrong: true,
      performedAt: NOW,
      visitDate: '2026-11-18',
    });
  });

  test('a clock that was known to be three hours slow, and is right when it sends, is put right and marked', async () => {
    const { id: assetId } = await subject(kind);
    const clockWas = { offsetMs: -3 * 3_600_000, notBefore: '2026-11-18T09:30:00.000Z' };
    const input = visit(kind, {
      performedAt: '2026-11-18T06:45:00.000Z',
      entries: [lineOf(kind, 'pass', assetId)],
    });
    await operative.checks.record.mutate({ ...input, clock: clockWas, ageMs: 60_000 });
    expect(await readBack(kind, input.visitId)).toMatchObject({
      clockWrong: true,
      performedAt: '2026-11-18T09:45:00.000Z',
    });
  });

  test('a record that arrives days later is marked late; one tested yesterday and sent in time is not', async () => {
    const { id: assetId } = await subject(kind);
    const recorded = async (visitDate: string, performedAt: string) => {
      const entries = [lineOf(kind, 'pass', assetId)];
      return (await operative.checks.record.mutate(visit(kind, { visitDate, performedAt, entries }))).late;
    };
    expect(await recorded('2026-11-17', '2026-11-17T15:00:00.000Z')).toBe(false);
    expect(await recorded('2026-11-16', '2026-11-16T15:00:00.000Z')).toBe(true);
    // Recorded on a later day.
    expect(await recorded('2026-11-17', NOW)).toBe(true);
  });

  test('access lost meanwhile: the record is held, and an administrator lets it in under its own name', async () => {
    const named = { firstName: 'Rae', lastName: 'Holt', buildings: [building.id] };
    const person = await createPerson(server.services, { role: 'operative', ...named });
    const client = createTestClient(server.url, await signInAs(server, person));
    await server.services.db.delete(userLocationAccess).where(eq(userLocationAccess.userId, person.id));
    const { id: assetId } = await subject(kind);
    const input = visit(kind, { entries: [lineOf(kind, 'pass', assetId)] });
    expect(await client.checks.record.mutate(input)).toMatchObject({
      held: true,
      logNumber: null,
      raised: [],
    });
    expect(await readBack(kind, input.visitId, admin)).toBeUndefined();
    const { data: held } = await admin.checks.held.query();
    const [line] = input.entries;
    expect(held.visits.find(({ id }) => id === input.visitId)).toMatchObject({
      kind,
      building: { id: building.id },
      why: 'no_access',
      obstacle: null,
      recordedByName: 'Rae Holt',
      // The result as it would stand in the log.
      entries: [{ id: line?.id, result: 'pass', notes: null }],
    });
    expect((await client.checks.heldOfMine.query()).data).toMatchObject([
      { id: input.visitId, state: 'held' },
    ]);
    const decision = { operationId: uuidv7(), id: input.visitId, accept: true } as const;
    await admin.checks.decideHeld.mutate(decision);
    expect(await readBack(kind, input.visitId, admin)).toMatchObject({
      recordedBy: person.id,
      receivedAt: NOW,
      letInByName: 'Ada Lovell',
    });
    const { data: mine } = await client.checks.heldOfMine.query();
    expect(mine).toMatchObject([
      { id: input.visitId, state: 'accepted', reason: null, decidedByName: 'Ada Lovell', version: 2 },
    ]);
    // A person who has lost access must not learn from it whether the site exists or what it is called.
    expect(JSON.stringify(mine)).not.toContain(building.id);
    const refusal = await refusalOf(admin.checks.decideHeld.mutate({ ...decision, operationId: uuidv7() }));
    expect(refusal).toMatchObject({ code: 'invalid', message: checkMessages.heldDone });
  });
});

describe('a role lost while the phone was offline', () => {
  async function lowered() {
    const person = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
    const client = createTestClient(server.url, await signInAs(server, person));
    const { version } = await admin.users.setRole.mutate({
      operationId: uuidv7(),
      userId: person.id,
      role: 'viewer',
    });
    expect(version).toBeGreaterThan(0);
    const { id: assetId } = await subject('emergency_lighting_test');
    const input = visit('emergency_lighting_test', {
      entries: [lineOf('emergency_lighting_test', 'fail', assetId)],
    });
    return { person, client, input };
  }

  test('the record is held, once, raises nothing, and an administrator lets it in under its own name', async () => {
    const { person, client, input } = await lowered();
    const receipt = await client.checks.record.mutate(input);
    expect(receipt).toMatchObject({ id: input.visitId, held: true, logNumber: null, raised: [] });
    // Sent again because the answer was lost.
    expect(await client.checks.record.mutate(input)).toEqual(receipt);
    expect(await readBack('emergency_lighting_test', input.visitId, admin)).toBeUndefined();
    const waiting = (await admin.checks.held.query()).data.visits.filter(({ id }) => id === input.visitId);
    expect(waiting).toMatchObject([{ kind: input.kind, entries: [{ result: 'fail' }] }]);
    const decision = { operationId: uuidv7(), id: input.visitId, accept: true } as const;
    const { receipt: accepted } = await admin.checks.decideHeld.mutate(decision);
    expect(accepted).toMatchObject({ held: false, raised: [{ joined: false }] });
    expect(await readBack('emergency_lighting_test', input.visitId, admin)).toMatchObject({
      recordedBy: person.id,
    });
  });

  test('it allows nothing else: other commands are refused, and so is a person who could never record', async () => {
    const { client, input } = await lowered();
    const point = { operationId: uuidv7(), id: uuidv7(), buildingId: building.id, name: 'Attic' };
    expect((await refusalOf(client.checks.addTestPoint.mutate(point))).code).toBe('forbidden');
    const viewer = await createPerson(server.services, { role: 'viewer', buildings: [building.id] });
    const looker = createTestClient(server.url, await signInAs(server, viewer));
    expect((await refusalOf(looker.checks.record.mutate(input))).code).toBe('forbidden');
    const held = (await admin.checks.held.query()).data.visits;
    expect(held.some(({ id }) => id === input.visitId)).toBe(false);
  });

  test('a person who was shut out altogether is asked to sign in: the phone keeps what it has', async () => {
    const { person, client, input } = await lowered();
    await admin.users.setActive.mutate({ operationId: uuidv7(), userId: person.id, active: false });
    expect((await refusalOf(client.checks.record.mutate(input))).code).toBe('unauthenticated');
  });
});

describe('the place of a test that is kept as a test point', () => {
  const place = (name: string) => ({
    ...lineOf('fire_alarm_test', 'pass', uuidv7()),
    assetId: null,
    locationTested: name,
  });
  const keeping = (name: string, buildingId: string) => ({
    ...visit('fire_alarm_test', { buildingId, entries: [place(name)] }),
    keepPlace: true,
  });
  const namesAt = async (id: string) => {
    const { data } = await admin.checks.register.query({ buildingIds: [id] });
    return data.sites[0]?.checks.fire_alarm_test?.subjects.map(({ name }) => name);
  };

  test('is there with the record, once, however often it is sent', async () => {
    const site = await createBuilding(server.services);
    const input = keeping('Loading bay', site.id);
    const receipt = await admin.checks.record.mutate(input);
    expect(receipt.pointAdded).toBe(true);
    expect(await admin.checks.record.mutate(input)).toEqual(receipt);
    // A second phone adds the same point in capitals, and a third does not add it.
    expect((await admin.checks.record.mutate(keeping('LOADING BAY', site.id))).pointAdded).toBe(false);
    const plain = visit('fire_alarm_test', { buildingId: site.id, entries: [place('Roof')] });
    expect((await admin.checks.record.mutate(plain)).pointAdded).toBe(false);
    expect(await namesAt(site.id)).toEqual(['Loading bay']);
  });

  test('is not made a second time of a call point that is an asset', async () => {
    const site = await createBuilding(server.services);
    await subject('fire_alarm_test', { buildingId: site.id, name: 'Porch' });
    expect((await admin.checks.record.mutate(keeping('porch', site.id))).pointAdded).toBe(false);
    expect(await namesAt(site.id)).toEqual(['Porch']);
  });

  test('waits with a record that is held', async () => {
    const site = await createBuilding(server.services);
    const input = keeping('Cellar', site.id);
    expect(await operative.checks.record.mutate(input)).toMatchObject({ held: true, pointAdded: false });
    expect(await namesAt(site.id)).toEqual([]);
    const decision = { operationId: uuidv7(), id: input.visitId, accept: true } as const;
    expect((await admin.checks.decideHeld.mutate(decision)).receipt).toMatchObject({ pointAdded: true });
    expect(await namesAt(site.id)).toEqual(['Cellar']);
  });
});

describe('a held record', () => {
  const kind = 'outlet_flushing';

  /** Records as a person without any site, so the record is held. */
  async function hold(values: Values) {
    const person = await createPerson(server.services, { role: 'operative' });
    const client = createTestClient(server.url, await signInAs(server, person));
    const input = visit(kind, values);
    const receipt = await client.checks.record.mutate(input);
    expect(receipt.held).toBe(true);
    const seen = async () =>
      (await admin.checks.held.query()).data.visits.find(({ id }) => id === input.visitId);
    return { client, input, seen };
  }

  test('is refused with a reason that its recorder reads, and never enters the log', async () => {
    const { id: assetId } = await subject(kind);
    const { client, input, seen } = await hold({ entries: [lineOf(kind, 'fail', assetId)] });
    expect(await seen()).toMatchObject({ entries: [{ result: 'fail', notes: 'Locked' }] });
    const decision = { id: input.visitId, accept: false as const };
    const empty = admin.checks.decideHeld.mutate({ ...decision, operationId: uuidv7(), reason: ' ' });
    expect((await refusalOf(empty)).fields).toEqual({ reason: checkMessages.reasonRequired });
    const reason = 'Never worked there';
    const refusal = { ...decision, operationId: uuidv7(), reason };
    const answer = await admin.checks.decideHeld.mutate(refusal);
    expect(answer).toEqual({ id: input.visitId, version: 2, receipt: null });
    // A repeated operation gets the same answer.
    expect(await admin.checks.decideHeld.mutate(refusal)).toEqual(answer);
    expect(await seen()).toBeUndefined();
    expect(await readBack(kind, input.visitId, admin)).toBeUndefined();
    expect((await client.checks.heldOfMine.query()).data).toMatchObject([{ state: 'refused', reason }]);
    const { data } = await admin.activity.list.query({ filter: { entity: 'heldCheck' } });
    expect(data.entries[0]).toMatchObject({
      command: 'checks.decideHeld',
      subject: 'Outlet flushing, Nov 18, 2026',
      changes: { state: ['held', 'refused'], reason: [null, reason] },
    });
  });

  test('says why it cannot enter the log: no such site, or something that is not there', async () => {
    const { id: assetId } = await subject(kind);
    const entries = [lineOf(kind, 'pass', assetId)];
    const nowhere = await hold({ buildingId: uuidv7(), entries });
    expect(await nowhere.seen()).toMatchObject({
      building: null,
      why: 'unknown',
      obstacle: checkMessages.heldUnknown,
    });
    const strange = await hold({ buildingId: other.id, entries });
    expect(await strange.seen()).toMatchObject({
      obstacle: checkMessages.heldStrangers,
      entries: [{ subjectName: checkMessages.notAtThatSite }],
    });
    const decision = { operationId: uuidv7(), id: strange.input.visitId, accept: true } as const;
    expect((await refusalOf(admin.checks.decideHeld.mutate(decision))).code).toBe('invalid');
    // The refused attempt leaves nothing behind.
    expect(await strange.seen()).toBeDefined();
  });

  test('of a day that has not come is refused at once', async () => {
    const person = await createPerson(server.services, { role: 'operative' });
    const client = createTestClient(server.url, await signInAs(server, person));
    const refusal = await refusalOf(client.checks.record.mutate(visit(kind, { visitDate: '2026-11-20' })));
    expect(refusal.code).toBe('invalid');
  });
});

test('an optional kind is not there until an operator switches it on', async () => {
  const plain = await startTestServer(database, { clock });
  try {
    const person = await createPerson(plain.services, { role: 'admin' });
    const client = createTestClient(plain.url, await signInAs(plain, person));
    const always = CHECK_KINDS.filter((kind) => !isOptional(kind));
    expect(always).toHaveLength(4);
    const { data } = await client.checks.cards.query();
    expect(data.cards.map(({ kind }) => kind)).toEqual(always);
    expect((await client.checks.register.query({})).data.kinds).toEqual(always);
    const kind = 'call_point_visual_check';
    const { id } = await subject(kind, { type: 'panel' });
    const input = visit(kind, { entries: [lineOf(kind, 'pass', id)] });
    expect((await refusalOf(client.checks.record.mutate(input))).code).toBe('forbidden');
    expect((await admin.checks.record.mutate(input)).held).toBe(false);
    expect((await admin.checks.cards.query()).data.cards).toHaveLength(5);
    // While the kind is disabled, no query returns records of when it was enabled.
    const missed = { operationId: uuidv7(), id: uuidv7(), buildingId: building.id, day: '2026-11-10' };
    const refusals = await Promise.all(
      [
        client.checks.logYear.query({ kind, year: 2026, buildingId: building.id }),
        client.checks.logRecords.query({ filter: { kind } }),
        client.checks.yearGrid.query({ kind, year: 2026 }),
        client.checks.explainMissed.mutate({ ...missed, kind, reason: 'Closed' }),
      ].map(refusalOf),
    );
    const { switchedOff: message } = checkMessages;
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'forbidden', message });
    const cookie = await signInAs(plain, person);
    expect((await download(plain.url, cookie, 'checks', { kind })).status).toBe(403);
    expect((await download(plain.url, cookie, 'checks', { kind: 'fire_alarm_test' })).status).toBe(200);
  } finally {
    await plain.stop();
  }
});

describe('what is refused at its field, to the letter', () => {
  async function fieldsOf(kind: CheckKind, values: Values) {
    const refusal = await refusalOf(operative.checks.record.mutate(visit(kind, values)));
    expect(refusal.code).toBe('invalid');
    return refusal.fields;
  }

  test.each([
    ['fire_alarm_test', 'Please fill in all required fields.'],
    ['emergency_lighting_test', 'Please select a site.'],
    ['water_temperature_check', 'Please select a site.'],
    ['outlet_flushing', 'Please select a site.'],
  ] as const)('%s without a site: %s', async (kind, sentence) => {
    expect(await fieldsOf(kind, { buildingId: '' })).toMatchObject({ buildingId: sentence });
  });

  test.each([
    ['fire_alarm_test', 'Please fill in all required fields.'],
    ['emergency_lighting_test', 'Please enter the operative name.'],
    ['water_temperature_check', 'Please enter the operative name.'],
    ['outlet_flushing', 'Please enter the operative name.'],
  ] as const)('%s without a name: %s', async (kind, sentence) => {
    expect(await fieldsOf(kind, { operativeName: '  ' })).toMatchObject({ operativeName: sentence });
  });

  test.each([
    ['fire_alarm_test', 'Please fill in all required fields.'],
    ['emergency_lighting_test', 'There are no emergency lights to test at this location.'],
    ['water_temperature_check', 'Please select at least one water outlet to test.'],
    ['outlet_flushing', 'Please select at least one outlet to record as flushed.'],
  ] as const)('%s without a line: %s', async (kind, sentence) => {
    expect(await fieldsOf(kind, { entries: [] })).toEqual({ entries: sentence });
  });

  test.each([
    [101, 'Temperature should be between 0°C and 100°C'],
    [-0.1, 'Temperature should be between 0°C and 100°C'],
    ['abc', 'Temperature must be a number'],
    [Number.NaN, 'Temperature is required'],
    ['', 'Temperature is required'],
    [14.25, 'Temperature has at most one decimal place'],
  ])('a temperature of %s: %s', async (temperatureCelsius, sentence) => {
    const { id } = await subject('water_temperature_check');
    const line = { ...lineOf('water_temperature_check', 'pass', id), temperatureCelsius };
    expect(await fieldsOf('water_temperature_check', { entries: [line] })).toEqual({
      'entries.0.temperatureCelsius': sentence,
    });
  });

  test('an alarm test without a result, or without a place', async () => {
    const { id } = await subject('fire_alarm_test');
    const line = { ...lineOf('fire_alarm_test', 'pass', id), passed: undefined, locationTested: ' ' };
    expect(await fieldsOf('fire_alarm_test', { entries: [line] })).toEqual({
      'entries.0.passed': fireAlarmMessages.missing,
      'entries.0.locationTested': fireAlarmMessages.missing,
    });
  });

  test('outlets, if none was flushed and none has a note', async () => {
    const { id } = await subject('outlet_flushing');
    const line = { ...lineOf('outlet_flushing', 'pass', id), isFlushed: false };
    expect(await fieldsOf('outlet_flushing', { entries: [line] })).toEqual({
      entries: 'Please select at least one outlet to record as flushed.',
    });
  });

  test('an impossible date, and one of another century', async () => {
    const { id } = await subject('emergency_lighting_test');
    const entries = [lineOf('emergency_lighting_test', 'pass', id)];
    expect(await fieldsOf('emergency_lighting_test', { visitDate: '', entries })).toEqual({
      visitDate: 'Please select a date for the test.',
    });
    expect(await fieldsOf('emergency_lighting_test', { visitDate: '0206-11-18', entries })).toEqual({
      visitDate: checkMessages.dateTooOld,
    });
  });
});

test('whether water is satisfactory is decided here, by the kind of the outlet, and kept when the kind changes', async () => {
  const kind = 'water_temperature_check';
  const reading = async (outletKind: 'cold' | 'hot' | 'calorifier_flow', temperatureCelsius: number) => {
    const { id } = await subject(kind, { outletKind });
    const input = visit(kind, { entries: [{ ...lineOf(kind, 'pass', id), temperatureCelsius }] });
    const { raised } = await operative.checks.record.mutate(input);
    await server.services.db.update(assets).set({ outletKind: 'mixed' }).where(eq(assets.id, id));
    const [entry] = (await readBack(kind, input.visitId))?.entries ?? [];
    const issue = raised[0] === undefined ? null : await manager.issues.get.query({ id: raised[0].issueId });
    return { result: entry?.result, values: entry?.values, priority: issue?.data.priority };
  };
  expect(await reading('cold', 20)).toMatchObject({
    result: 'pass',
    values: { isSatisfactory: true, outletKind: 'cold', limitMin: null, limitMax: 20 },
  });
  expect(await reading('cold', 20.1)).toMatchObject({ result: 'fail', priority: 'medium' });
  expect(await reading('hot', 50)).toMatchObject({
    result: 'pass',
    values: { limitMin: 50, limitMax: null },
  });
  expect(await reading('hot', 49.9)).toMatchObject({ result: 'fail', priority: 'medium' });
  expect(await reading('hot', 45)).toMatchObject({ result: 'fail', priority: 'high' });
  expect(await reading('calorifier_flow', 59.9)).toMatchObject({ result: 'fail' });
});

test('a correction of a lighting test puts right what the test says of the supply, and keeps what it said', async () => {
  const kind = 'emergency_lighting_test';
  const { id: assetId } = await subject(kind);
  const first = lineOf(kind, 'pass', assetId);
  const input = { ...visit(kind, { entries: [first] }), supplyRestored: true };
  await operative.checks.record.mutate(input as never);
  let entryId = first.id;
  const amend = async (said: object) => {
    const entry = lineOf(kind, 'pass', assetId);
    const amendment = { kind, operationId: uuidv7(), entryId, reason: 'Breaker was off', entry, ...said };
    // A repeated operation is the same amendment.
    const [answer, again] = await Promise.all([
      operative.checks.amend.mutate(amendment as never),
      operative.checks.amend.mutate(amendment as never),
    ]);
    expect(again).toEqual(answer);
    entryId = entry.id;
    const stored = await readBack(kind, input.visitId);
    return [stored?.supplyRestored, stored?.entries.at(-1)?.supplyAmended];
  };
  expect(await amend({ supplyRestored: false })).toEqual([false, { was: true, is: false }]);
  // When omitted or unchanged, it is not amended.
  expect(await amend({})).toEqual([false, null]);
  expect(await amend({ supplyRestored: false })).toEqual([false, null]);
  const label = emergencyLightingMessages.supplyRestored;
  const details = (await exported({ kind, assetId })).map(({ Details }) => Details);
  expect(details).toEqual([
    `${label}: No`,
    `${label}: No\n${label}, before: Yes`,
    `${label}: No`,
    `${label}: No`,
  ]);
  const fire = lineOf('fire_alarm_test', 'pass', assetId);
  const other = { kind: 'fire_alarm_test', operationId: uuidv7(), entryId, reason: 'x', entry: fire };
  const refusal = await refusalOf(operative.checks.amend.mutate({ ...other, supplyRestored: true } as never));
  expect(refusal.code).toBe('invalid');
});

test('a lighting test says whether the supply was restored; one of an older app, without that answer, is accepted', async () => {
  const kind = 'emergency_lighting_test';
  const { id: assetId } = await subject(kind);
  const test = (said: object) => ({ ...visit(kind, { entries: [lineOf(kind, 'pass', assetId)] }), ...said });
  const [said, old] = [test({ supplyRestored: true }), test({})];
  await operative.checks.record.mutate(said as never);
  await operative.checks.record.mutate(old as never);
  expect(await readBack(kind, said.visitId)).toMatchObject({ supplyRestored: true });
  expect(await readBack(kind, old.visitId)).toMatchObject({ supplyRestored: null });
  const refusal = await refusalOf(operative.checks.record.mutate(test({ supplyRestored: false }) as never));
  expect(refusal.fields).toEqual({ supplyRestored: emergencyLightingMessages.supplyRequired });
  const lines = await exported({ kind, assetId });
  expect(lines.map(({ Details }) => Details).sort()).toEqual([
    'Supply restored, charge indicators on: Not recorded',
    'Supply restored, charge indicators on: Yes',
  ]);
});

describe('a form that one press filled', () => {
  const kind = 'outlet_flushing';
  const lines = async () => {
    const [one, other] = [await subject(kind), await subject(kind)];
    return [lineOf(kind, 'pass', one.id), lineOf(kind, 'fail', other.id)] as const;
  };

  test('says so, and how long it was open, in the log, in its file and in the chain of events', async () => {
    const entries = await lines();
    const input = { ...visit(kind, { entries }), filledAtOnce: 1, openSeconds: 100 };
    await operative.checks.record.mutate(input as never);
    expect(await readBack(kind, input.visitId)).toMatchObject({
      filledAtOnce: { lines: 1, of: 2 },
      openSeconds: 100,
    });
    const [line] = await exported({ kind, assetId: entries[0].outletId });
    expect(line?.['Details']).toBe(
      'How it was recorded: 1 of 2 marked flushed at once; form open 1 min 40 s',
    );
    const [event] = await server.services.db.execute<{ body: string }>(sql`
      select p.body from events e join event_payloads p on p.g = e.g
      where e.entity = 'checkVisit' and e.entity_id = ${input.visitId}`);
    expect(JSON.parse(event?.body ?? '{}').row).toMatchObject({
      filledAtOnce: { lines: 1, of: 2 },
      openSeconds: 100,
    });
    // An amendment does not change how the form was filled in.
    await manager.checks.amend.mutate({
      kind,
      operationId: uuidv7(),
      entryId: entries[0].id,
      reason: 'It was the other one',
      entry: { ...entries[0], id: uuidv7(), isFlushed: false, notes: 'Locked' },
    } as never);
    expect(await readBack(kind, input.visitId)).toMatchObject({ filledAtOnce: { lines: 1, of: 2 } });
  });

  test('cannot have filled more than passed, nor have been open for longer than is believed', async () => {
    const input = { ...visit(kind, { entries: await lines() }), filledAtOnce: 12, openSeconds: 0 };
    await operative.checks.record.mutate(input as never);
    expect(await readBack(kind, input.visitId)).toMatchObject({
      filledAtOnce: { lines: 1, of: 2 },
      openSeconds: 0,
    });
    for (const wrong of [{ openSeconds: 8 * 86_400 }, { openSeconds: -1 }, { filledAtOnce: 501 }]) {
      const refusal = await refusalOf(
        operative.checks.record.mutate({ ...visit(kind, { entries: await lines() }), ...wrong } as never),
      );
      expect(refusal).toMatchObject({
        code: 'invalid',
        fields: { [Object.keys(wrong)[0] ?? '']: expect.any(String) },
      });
    }
  });

  test('is reported by newer apps only: a record kept by an older one is accepted, once', async () => {
    const input = visit(kind, { entries: await lines() });
    const first = await operative.checks.record.mutate(input);
    expect(await operative.checks.record.mutate(input)).toEqual(first);
    expect(await readBack(kind, input.visitId)).toMatchObject({ filledAtOnce: null, openSeconds: null });
  });
});

test('healthcare premises require hotter water', async () => {
  const care = await createBuilding(server.services);
  const kind = 'water_temperature_check';
  const { id } = await subject(kind, { buildingId: care.id, outletKind: 'hot' });
  const read = async () => {
    const entries = [{ ...lineOf(kind, 'pass', id), temperatureCelsius: 54.9 }];
    const input = visit(kind, { buildingId: care.id, entries });
    return { input, receipt: await admin.checks.record.mutate(input) };
  };
  const mark = (from: boolean) =>
    admin.locations.updateBuilding.mutate({
      operationId: uuidv7(),
      id: care.id,
      changes: { isHealthcare: { from, to: !from } },
    });
  const limits = async () => {
    const { data } = await admin.checks.register.query({ buildingIds: [care.id] });
    return data.sites[0]?.checks[kind]?.subjects[0]?.limits;
  };
  const before = await read();
  expect(before.receipt.raised).toEqual([]);
  expect(await limits()).toEqual({ min: 50, max: null });
  const { version } = await mark(false);
  expect(await limits()).toEqual({ min: 55, max: null });
  const after = await read();
  expect(after.receipt.raised).toHaveLength(1);
  // Each reading keeps the limit that judged it, whatever the building's setting becomes.
  const stored = async (visitId: string) =>
    (await readBack(kind, visitId, admin))?.entries.map(({ result, values }) => [result, values['limitMin']]);
  for (const change of [async () => undefined, () => mark(true)]) {
    await change();
    expect(await stored(before.input.visitId)).toEqual([['pass', 50]]);
    expect(await stored(after.input.visitId)).toEqual([['fail', 55]]);
  }
  // Setting the same value again changes nothing.
  expect((await mark(true)).version).toBe(version + 1);
  const year = await admin.checks.logYear.query({ kind, year: 2026, buildingId: care.id });
  expect(year.data.healthcare).toBe(false);
});

describe('the last visit of an asset', () => {
  const kind = 'emergency_lighting_test';
  const lastVisit = async (id: string) => (await admin.assets.get.query({ id })).data;

  test('moves with each check of it, live and never backwards; what was not tested was not visited', async () => {
    const [tested, untested] = [await subject(kind), await subject(kind)];
    const lines = () => [
      lineOf(kind, 'pass', tested.id),
      { ...lineOf(kind, 'pass', untested.id), passed: null, notes: 'Locked' },
    ];
    const recorded = async (visitDate: string, entries: unknown[]) =>
      operative.checks.record.mutate(
        visit(kind, { visitDate, performedAt: `${visitDate}T09:00:00.000Z`, entries }),
      );
    await recorded('2026-11-10', lines());
    expect(await lastVisit(tested.id)).toMatchObject({ lastVisitDate: '2026-11-10', version: 2 });
    expect(await lastVisit(untested.id)).toMatchObject({ lastVisitDate: null, version: 1 });
    const { data: history } = await manager.assets.history.query({ id: tested.id });
    expect(history.entries).toMatchObject([
      { command: 'checks.record', changes: { lastVisitDate: [null, '2026-11-10'] } },
    ]);
    // Sent by a phone that was offline for weeks.
    await recorded('2026-10-10', lines());
    expect(await lastVisit(tested.id)).toMatchObject({ lastVisitDate: '2026-11-10', version: 2 });
    const later = lines();
    await recorded('2026-11-17', later);
    const correction = { kind, operationId: uuidv7(), entryId: later[1]?.id, reason: 'It was tested' };
    await operative.checks.amend.mutate({
      ...correction,
      entry: lineOf(kind, 'pass', untested.id),
    } as never);
    expect(await lastVisit(untested.id)).toMatchObject({ lastVisitDate: '2026-11-17', version: 2 });
  });

  test('of more than a hundred is told in one event', async () => {
    const site = await createBuilding(server.services);
    const lights: string[] = [];
    for (let n = 0; n < 101; n += 1) lights.push((await subject(kind, { buildingId: site.id })).id);
    const input = visit(kind, { buildingId: site.id, entries: lights.map((id) => lineOf(kind, 'pass', id)) });
    await admin.checks.record.mutate(input);
    const events = await server.services.db.execute(
      sql`select op from outbox where operation_id = ${input.operationId} and entity = 'asset'
        union all select op from events where operation_id = ${input.operationId} and entity = 'asset'`,
    );
    expect(events).toEqual([{ op: 'bulk' }]);
    expect(await lastVisit(lights[100] ?? '')).toMatchObject({ lastVisitDate: '2026-11-18' });
  });
});

test('a failure that arrives after a later pass has that pass as its retest, and all clients hear of it', async () => {
  const kind = 'fire_alarm_test';
  const { id } = await subject(kind);
  const recorded = async (result: 'pass' | 'fail', performedAt: string) => {
    const input = visit(kind, {
      visitDate: performedAt.slice(0, 10),
      performedAt,
      entries: [lineOf(kind, result, id)],
    });
    const { raised } = await operative.checks.record.mutate(input);
    return { visitId: input.visitId, entryId: input.entries[0]?.id ?? '', raised };
  };
  const first = await recorded('fail', '2026-11-16T08:00:00.000Z');
  const pass = await recorded('pass', '2026-11-18T09:00:00.000Z');
  expect((await readBack(kind, pass.visitId))?.entries[0]?.retestOf).toBe(first.entryId);
  // A failure of the same day, before the pass.
  const late = await recorded('fail', '2026-11-18T08:00:00.000Z');
  expect(late.raised).toHaveLength(1);
  expect((await readBack(kind, late.visitId))?.entries[0]?.retestOf).toBe(first.entryId);
  expect(await readBack(kind, pass.visitId)).toMatchObject({
    version: 2,
    result: 'pass',
    entries: [{ retestOf: late.entryId }],
  });
  const { data: thread } = await manager.checks.thread.query({ entryId: late.entryId });
  expect(thread.retestPassed).toBe(true);
  expect(thread.story.map(({ entry }) => entry.id)).toEqual([first.entryId, late.entryId, pass.entryId]);
  const issueId = late.raised[0]?.issueId ?? '';
  expect((await manager.checks.ofIssue.query({ issueId })).data.settled).toBe(true);
  const { data: activity } = await admin.activity.list.query({
    filter: { entity: 'checkVisit', buildingId: building.id },
  });
  expect(activity.entries.slice(0, 2).map(({ changes }) => changes)).toContainEqual({
    retestOf: [null, expect.stringMatching(/^#\d+$/)],
  });
});

test('two failures of one call point at the same moment share one issue', async () => {
  const { id } = await subject('fire_alarm_test');
  const receipts = await Promise.all(
    Array.from({ length: 4 }, () =>
      operative.checks.record.mutate(
        visit('fire_alarm_test', { entries: [lineOf('fire_alarm_test', 'fail', id)] }),
      ),
    ),
  );
  expect(new Set(receipts.map(({ raised }) => raised[0]?.issueId)).size).toBe(1);
  expect(receipts.filter(({ raised }) => raised[0]?.joined === false)).toHaveLength(1);
  expect(new Set(receipts.map(({ logNumber }) => logNumber)).size).toBe(4);
});

test('a place that is typed is the call point of that name, whatever the case', async () => {
  const { id } = await subject('fire_alarm_test', { name: 'Loading Bay' });
  const line = { ...lineOf('fire_alarm_test', 'pass', id), assetId: null, locationTested: 'loading bay' };
  const input = visit('fire_alarm_test', { entries: [line] });
  await operative.checks.record.mutate(input);
  expect((await readBack('fire_alarm_test', input.visitId))?.entries[0]).toMatchObject({
    assetId: id,
    subjectKey: id,
    subjectName: 'loading bay',
  });
});

describe('a year of the log', () => {
  const kind = 'fire_alarm_test' as const;
  let site: TestBuilding;

  async function tested(visitDate: string, result: 'pass' | 'fail', point: string) {
    const line = { ...lineOf(kind, result, uuidv7()), assetId: null, locationTested: point };
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await admin.checks.record.mutate(
      visit(kind, { buildingId: site.id, visitDate, performedAt, entries: [line] }),
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
  const light = await subject('emergency_lighting_test', { buildingId: site.id });
  const hot = await subject('water_temperature_check', { buildingId: site.id, outletKind: 'hot' });
  await subject('emergency_lighting_test', { buildingId: site.id, retiredAt: NOW });
  await subject('fire_alarm_test', { buildingId: site.id, name: 'Porch' });
  const point = { operationId: uuidv7(), id: uuidv7(), buildingId: site.id, name: 'Roof door' };
  await admin.checks.addTestPoint.mutate(point);
  const taken = { ...point, operationId: uuidv7(), id: uuidv7(), name: 'ROOF DOOR' };
  expect((await refusalOf(admin.checks.addTestPoint.mutate(taken))).fields).toEqual({
    name: checkMessages.pointTaken,
  });
  const line = lineOf('emergency_lighting_test', 'fail', light.id);
  await admin.checks.record.mutate(
    visit('emergency_lighting_test', { buildingId: site.id, entries: [line] }),
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
  await client.checks.record.mutate(visit('fire_alarm_test', late));
  // The week of 6 November is over; that of 13 November is the current one.
  expect(await card()).toMatchObject({
    due: 1,
    overdue: 1,
    dueSites: dueAt(true),
    lastDone: '2026-10-30',
    unexplained: 1,
  });
  const now = { buildingId: site.id, entries: [{ ...line, id: uuidv7() }] };
  await client.checks.record.mutate(visit('fire_alarm_test', now));
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
  const { id } = await subject(kind, { buildingId: site.id });
  for (const [visitDate, operativeName, result] of [
    ['2026-09-04', 'Tom Baker', 'pass'],
    ['2026-10-02', 'Tom Baker', 'fail'],
    ['2026-10-09', 'Aisha Khan', 'pass'],
  ] as const) {
    const entries = [lineOf(kind, result, id)];
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await admin.checks.record.mutate(
      visit(kind, { buildingId: site.id, visitDate, performedAt, operativeName, entries }),
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
    subject(kind, { buildingId: site.id }),
    subject(kind, { buildingId: site.id }),
  ]);
  const recordOn = async (visitDate: string, ...entries: unknown[]) => {
    const performedAt = `${visitDate}T10:00:00.000Z`;
    await admin.checks.record.mutate(visit(kind, { buildingId: site.id, visitDate, performedAt, entries }));
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
  await client.checks.record.mutate(visit(kind, { buildingId: one, entries: line('pass') }));
  // A failure is a record too, and a reason closes the gap of a past week.
  await client.checks.record.mutate(visit(kind, { buildingId: two, entries: line('fail') }));
  const reason = { operationId: uuidv7(), id: uuidv7(), buildingId: three, kind, reason: 'Closed' };
  await client.checks.explainMissed.mutate({ ...reason, day: '2026-11-11' });
  const now = await missing('2026-11-13');
  expect(now).toMatchObject({
    total: 8,
    sites: [{ name: 'Missing 2' }, {}, {}, {}, {}, {}, {}, { name: 'Missing 9' }],
  });
  expect((await missing('2026-11-11')).total).toBe(9);
});

test('an operative reads of an issue the number, and the last reply where it is their own check', async () => {
  const { id } = await subject('fire_alarm_test');
  const line = lineOf('fire_alarm_test', 'fail', id);
  const { raised } = await operative.checks.record.mutate(visit('fire_alarm_test', { entries: [line] }));
  const issueId = raised[0]?.issueId ?? '';
  await manager.issues.comment.mutate({ operationId: uuidv7(), id: uuidv7(), issueId, body: 'On its way' });
  const own = (await operative.checks.thread.query({ entryId: line.id })).data.issue;
  expect(own).toEqual({
    id: issueId,
    referenceNumber: raised[0]?.referenceNumber,
    status: 'open',
    lastReply: { body: 'On its way', byName: expect.any(String), byNow: null, at: expect.any(String) },
  });
  const person = await createPerson(server.services, { role: 'operative', buildings: [building.id] });
  const client = createTestClient(server.url, await signInAs(server, person));
  const others = (await client.checks.thread.query({ entryId: line.id })).data.issue;
  expect(others).toEqual({ id: issueId, referenceNumber: raised[0]?.referenceNumber });
  const { data: mine } = await operative.checks.raisedByMine.query();
  expect(mine[0]).toMatchObject({ issueId, status: 'open', lastReply: { body: 'On its way' } });
});

test('an issue stays among those that my checks raised when its failure is corrected to a pass', async () => {
  const kind = 'fire_alarm_test';
  const { id } = await subject(kind);
  const line = lineOf(kind, 'fail', id);
  const { raised } = await operative.checks.record.mutate(visit(kind, { entries: [line] }));
  const entry = lineOf(kind, 'pass', id);
  const amendment = { kind, operationId: uuidv7(), entryId: line.id, reason: 'Misheard', entry };
  await operative.checks.amend.mutate(amendment as never);
  const { data: mine } = await operative.checks.raisedByMine.query();
  const issueId = raised[0]?.issueId;
  expect(mine.filter((one) => one.issueId === issueId)).toMatchObject([{ entryId: line.id, status: 'open' }]);
});

test('nothing of a record can be changed or deleted, not even in the database', async () => {
  const { id } = await subject('fire_alarm_test');
  const line = lineOf('fire_alarm_test', 'pass', id);
  await operative.checks.record.mutate(visit('fire_alarm_test', { entries: [line] }));
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
  const kept = async () => [
    ...(await server.services.db.execute(
      sql`select kind, year, building_id, cells from check_years order by 1, 2, 3`,
    )),
    ...(await server.services.db.execute(
      sql`select building_id, kind, first_done_on::text, last_done_on::text, done_before_on::text
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
