import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { fireAlarmMessages } from '#shared/features/checks/kinds/fire-alarm.vocabulary.ts';
import { CHECK_KINDS, type CheckKind, isOptional } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { TestDatabase } from '#tests/support/postgres/database.ts';
import {
  type CheckSetting,
  createCheckSetting,
  type VisitValues,
} from '#tests/support/rows/check-setting.ts';
import { lineOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import type { TestClock } from '#tests/support/server/clock.ts';
import { download } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Requirements and refusals of single kinds.

let setting: CheckSetting;
let server: TestServer;
let clock: TestClock;
let building: TestBuilding;
let operative: TestClient;
let manager: TestClient;
let admin: TestClient;
let database: TestDatabase;

beforeAll(async () => {
  setting = await createCheckSetting();
  ({ server, clock, building, operative, manager, admin, database } = setting);
});
afterAll(() => setting.end());

describe('the place of a test that is kept as a test point', () => {
  const place = (name: string) => ({
    ...lineOf('fire_alarm_test', 'pass', uuidv7()),
    assetId: null,
    locationTested: name,
  });
  const keeping = (name: string, buildingId: string) => ({
    ...setting.visit('fire_alarm_test', { buildingId, entries: [place(name)] }),
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
    const plain = setting.visit('fire_alarm_test', { buildingId: site.id, entries: [place('Roof')] });
    expect((await admin.checks.record.mutate(plain)).pointAdded).toBe(false);
    expect(await namesAt(site.id)).toEqual(['Loading bay']);
  });

  test('is not made a second time of a call point that is an asset', async () => {
    const site = await createBuilding(server.services);
    await setting.subject('fire_alarm_test', { buildingId: site.id, name: 'Porch' });
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
    const { id } = await setting.subject(kind, { type: 'panel' });
    const input = setting.visit(kind, { entries: [lineOf(kind, 'pass', id)] });
    expect((await refusalOf(client.checks.record.mutate(input))).code).toBe('forbidden');
    expect((await admin.checks.record.mutate(input)).held).toBe(false);
    expect((await admin.checks.cards.query()).data.cards).toHaveLength(5);
    // While the kind is disabled, no query returns records from the time when it was enabled.
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
  async function fieldsOf(kind: CheckKind, values: VisitValues) {
    const refusal = await refusalOf(operative.checks.record.mutate(setting.visit(kind, values)));
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
    const { id } = await setting.subject('water_temperature_check');
    const line = { ...lineOf('water_temperature_check', 'pass', id), temperatureCelsius };
    expect(await fieldsOf('water_temperature_check', { entries: [line] })).toEqual({
      'entries.0.temperatureCelsius': sentence,
    });
  });

  test('an alarm test without a result, or without a place', async () => {
    const { id } = await setting.subject('fire_alarm_test');
    const line = { ...lineOf('fire_alarm_test', 'pass', id), passed: undefined, locationTested: ' ' };
    expect(await fieldsOf('fire_alarm_test', { entries: [line] })).toEqual({
      'entries.0.passed': fireAlarmMessages.missing,
      'entries.0.locationTested': fireAlarmMessages.missing,
    });
  });

  test('outlets, if none was flushed and none has a note', async () => {
    const { id } = await setting.subject('outlet_flushing');
    const line = { ...lineOf('outlet_flushing', 'pass', id), isFlushed: false };
    expect(await fieldsOf('outlet_flushing', { entries: [line] })).toEqual({
      entries: 'Please select at least one outlet to record as flushed.',
    });
  });

  test('an impossible date, and one of another century', async () => {
    const { id } = await setting.subject('emergency_lighting_test');
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
    const { id } = await setting.subject(kind, { outletKind });
    const input = setting.visit(kind, { entries: [{ ...lineOf(kind, 'pass', id), temperatureCelsius }] });
    const { raised } = await operative.checks.record.mutate(input);
    await server.services.db.update(assets).set({ outletKind: 'mixed' }).where(eq(assets.id, id));
    const [entry] = (await setting.readBack(kind, input.visitId))?.entries ?? [];
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
  const { id: assetId } = await setting.subject(kind);
  const first = lineOf(kind, 'pass', assetId);
  const input = { ...setting.visit(kind, { entries: [first] }), supplyRestored: true };
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
    const stored = await setting.readBack(kind, input.visitId);
    return [stored?.supplyRestored, stored?.entries.at(-1)?.supplyAmended];
  };
  expect(await amend({ supplyRestored: false })).toEqual([false, { was: true, is: false }]);
  // An omitted or unchanged value is not amended.
  expect(await amend({})).toEqual([false, null]);
  expect(await amend({ supplyRestored: false })).toEqual([false, null]);
  const label = emergencyLightingMessages.supplyRestored;
  const details = (await setting.exported({ kind, assetId })).map(({ Details }) => Details);
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
  const { id: assetId } = await setting.subject(kind);
  const test = (said: object) => ({
    ...setting.visit(kind, { entries: [lineOf(kind, 'pass', assetId)] }),
    ...said,
  });
  const [said, old] = [test({ supplyRestored: true }), test({})];
  await operative.checks.record.mutate(said as never);
  await operative.checks.record.mutate(old as never);
  expect(await setting.readBack(kind, said.visitId)).toMatchObject({ supplyRestored: true });
  expect(await setting.readBack(kind, old.visitId)).toMatchObject({ supplyRestored: null });
  const refusal = await refusalOf(operative.checks.record.mutate(test({ supplyRestored: false }) as never));
  expect(refusal.fields).toEqual({ supplyRestored: emergencyLightingMessages.supplyRequired });
  const lines = await setting.exported({ kind, assetId });
  expect(lines.map(({ Details }) => Details).sort()).toEqual([
    'Supply restored, charge indicators on: Not recorded',
    'Supply restored, charge indicators on: Yes',
  ]);
});

describe('a form that one press filled', () => {
  const kind = 'outlet_flushing';
  const lines = async () => {
    const [one, other] = [await setting.subject(kind), await setting.subject(kind)];
    return [lineOf(kind, 'pass', one.id), lineOf(kind, 'fail', other.id)] as const;
  };

  test('says so, and how long it was open, in the log, in its file and in the chain of events', async () => {
    const entries = await lines();
    const input = { ...setting.visit(kind, { entries }), filledAtOnce: 1, openSeconds: 100 };
    await operative.checks.record.mutate(input as never);
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({
      filledAtOnce: { lines: 1, of: 2 },
      openSeconds: 100,
    });
    const [line] = await setting.exported({ kind, assetId: entries[0].outletId });
    expect(line?.['Details']).toBe(
      'How it was recorded: 1 of 2 marked flushed at once; form open 1 min 40 s',
    );
    const told = async () => {
      const [event] = await server.services.db.execute<{ body: string }>(sql`
        select p.body from events e join event_payloads p on p.g = e.g
        where e.entity = 'checkVisit' and e.entity_id = ${input.visitId}`);
      return JSON.parse(event?.body ?? '{}').row;
    };
    await expect.poll(told).toMatchObject({ filledAtOnce: { lines: 1, of: 2 }, openSeconds: 100 });
    // An amendment does not change how the form was filled in.
    await manager.checks.amend.mutate({
      kind,
      operationId: uuidv7(),
      entryId: entries[0].id,
      reason: 'It was the other one',
      entry: { ...entries[0], id: uuidv7(), isFlushed: false, notes: 'Locked' },
    } as never);
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({ filledAtOnce: { lines: 1, of: 2 } });
  });

  test('cannot have filled more than passed, nor have been open for longer than is believed', async () => {
    const input = { ...setting.visit(kind, { entries: await lines() }), filledAtOnce: 12, openSeconds: 0 };
    await operative.checks.record.mutate(input as never);
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({
      filledAtOnce: { lines: 1, of: 2 },
      openSeconds: 0,
    });
    for (const wrong of [{ openSeconds: 8 * 86_400 }, { openSeconds: -1 }, { filledAtOnce: 501 }]) {
      const refusal = await refusalOf(
        operative.checks.record.mutate({
          ...setting.visit(kind, { entries: await lines() }),
          ...wrong,
        } as never),
      );
      expect(refusal).toMatchObject({
        code: 'invalid',
        fields: { [Object.keys(wrong)[0] ?? '']: expect.any(String) },
      });
    }
  });

  test('is reported by newer apps only: a record kept by an older one is accepted, once', async () => {
    const input = setting.visit(kind, { entries: await lines() });
    const first = await operative.checks.record.mutate(input);
    expect(await operative.checks.record.mutate(input)).toEqual(first);
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({
      filledAtOnce: null,
      openSeconds: null,
    });
  });
});

test('healthcare premises require hotter water', async () => {
  const care = await createBuilding(server.services);
  const kind = 'water_temperature_check';
  const { id } = await setting.subject(kind, { buildingId: care.id, outletKind: 'hot' });
  const read = async () => {
    const entries = [{ ...lineOf(kind, 'pass', id), temperatureCelsius: 54.9 }];
    const input = setting.visit(kind, { buildingId: care.id, entries });
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
    (await setting.readBack(kind, visitId, admin))?.entries.map(({ result, values }) => [
      result,
      values['limitMin'],
    ]);
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

test('a place that is typed is the call point of that name, whatever the case', async () => {
  const { id } = await setting.subject('fire_alarm_test', { name: 'Loading Bay' });
  const line = { ...lineOf('fire_alarm_test', 'pass', id), assetId: null, locationTested: 'loading bay' };
  const input = setting.visit('fire_alarm_test', { entries: [line] });
  await operative.checks.record.mutate(input);
  expect((await setting.readBack('fire_alarm_test', input.visitId))?.entries[0]).toMatchObject({
    assetId: id,
    subjectKey: id,
    subjectName: 'loading bay',
  });
});
