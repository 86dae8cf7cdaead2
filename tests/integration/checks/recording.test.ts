import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkTables, tablesHoldTheirEntries } from '#db/schema/checks/index.ts';
import { operativeVisits } from '#db/schema/checks/visits.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { CHECK_KINDS, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CHECKS_NOW, type CheckSetting, createCheckSetting } from '#tests/support/rows/check-setting.ts';
import { lineOf } from '#tests/support/rows/checks.ts';
import { createPerson, signInAs, type TestBuilding, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

// Rules that hold for the record of every kind.

let setting: CheckSetting;
let server: TestServer;
let building: TestBuilding;
let other: TestBuilding;
let operativePerson: TestPerson;
let operative: TestClient;
let manager: TestClient;
let admin: TestClient;

beforeAll(async () => {
  setting = await createCheckSetting();
  ({ server, building, other, operativePerson, operative, manager, admin } = setting);
});
afterAll(() => setting.end());

test('every kind has a table that holds its lines', () => {
  expect(Object.keys(tablesHoldTheirEntries)).toEqual(Object.keys(checkTables));
});

describe.each(CHECK_KINDS)('%s', (kind) => {
  test('a pass is recorded, and read back as it was given', async () => {
    const { id: assetId, name } = await setting.subject(kind);
    const line = lineOf(kind, 'pass', assetId);
    const input = setting.visit(kind, { entries: [line] });
    const receipt = await operative.checks.record.mutate(input);
    expect(receipt).toMatchObject({ id: input.visitId, version: 1, held: false, late: false, raised: [] });
    expect(receipt.logNumber).toBeGreaterThan(0);
    const { sites } = (await operative.checks.register.query({ buildingIds: [building.id] })).data;
    expect(receipt.nextDue).toBe(sites[0]?.checks[kind]?.schedule.nextDue);

    const back = await setting.readBack(kind, input.visitId);
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
    const { id: assetId } = await setting.subject(kind);
    const failed = lineOf(kind, 'fail', assetId);
    const first = await operative.checks.record.mutate(setting.visit(kind, { entries: [failed] }));
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
      setting.visit(kind, { entries: [lineOf(kind, 'fail', assetId)] }),
    );
    expect(again.raised).toMatchObject([{ issueId, joined: true, referenceNumber: issue.referenceNumber }]);

    const pass = lineOf(kind, 'pass', assetId);
    const retest = setting.visit(kind, { entries: [pass] });
    await operative.checks.record.mutate(retest);
    const back = await setting.readBack(kind, retest.visitId);
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
    const { id: assetId } = await setting.subject(kind);
    const input = setting.visit(kind, { entries: [lineOf(kind, 'fail', assetId)] });
    const receipts = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        // The device's clock advances between attempts.
        operative.checks.record.mutate({
          ...input,
          deviceNow: new Date(Date.parse(CHECKS_NOW) + n).toISOString(),
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
    const { id: assetId } = await setting.subject(kind, { retiredAt: CHECKS_NOW });
    const input = setting.visit(kind, { entries: [lineOf(kind, 'pass', assetId)] });
    await operative.checks.record.mutate(input);
    expect((await setting.readBack(kind, input.visitId))?.entries[0]?.assetRetired).toBe(true);
  });

  test('an asset of another site is refused at its line', async () => {
    const foreign = await setting.subject(kind, { buildingId: other.id });
    const refusal = await refusalOf(
      operative.checks.record.mutate(setting.visit(kind, { entries: [lineOf(kind, 'pass', foreign.id)] })),
    );
    expect(refusal.code).toBe('invalid');
    expect(Object.values(refusal.fields ?? {})).toEqual([checkMessages.subjectUnknown]);
  });

  test('a correction strikes the original through and turns the result', async () => {
    const { id: assetId } = await setting.subject(kind);
    const wrong = lineOf(kind, 'pass', assetId);
    const input = setting.visit(kind, { entries: [wrong] });
    await operative.checks.record.mutate(input);
    const right = lineOf(kind, 'fail', assetId);
    const amendment = { kind, operationId: uuidv7(), entryId: wrong.id, reason: 'Misread', entry: right };
    const amended = await operative.checks.amend.mutate(amendment as never);
    expect(amended).toMatchObject({ id: input.visitId, version: 2, entryId: right.id });
    expect(amended.raised).toHaveLength(1);
    const back = await setting.readBack(kind, input.visitId);
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
    const { id: assetId } = await setting.subject(kind);
    const refusal = await refusalOf(
      operative.checks.record.mutate(
        setting.visit(kind, { visitDate: '2026-11-19', entries: [lineOf(kind, 'pass', assetId)] }),
      ),
    );
    expect(refusal.fields).toEqual({ visitDate: checkMessages.dateInFuture });
  });

  test('a clock three hours wrong is marked and put right', async () => {
    const { id: assetId } = await setting.subject(kind);
    const ahead = '2026-11-18T13:00:00.000Z';
    const input = setting.visit(kind, {
      performedAt: ahead,
      deviceNow: ahead,
      entries: [lineOf(kind, 'pass', assetId)],
    });
    const receipt = await operative.checks.record.mutate(input);
    expect(receipt.clockOffsetMs).toBe(3 * 3_600_000);
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({
      clockWrong: true,
      performedAt: CHECKS_NOW,
    });
  });

  test('a clock that was a day ahead and was put right since is stored as received, marked', async () => {
    const { id: assetId } = await setting.subject(kind);
    const input = setting.visit(kind, {
      visitDate: '2026-11-19',
      performedAt: '2026-11-19T12:00:00.000Z',
      entries: [lineOf(kind, 'pass', assetId)],
    });
    await operative.checks.record.mutate(input);
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({
      clockWrong: true,
      performedAt: CHECKS_NOW,
      visitDate: '2026-11-18',
    });
  });

  test('a clock that was known to be three hours slow, and is right when it sends, is put right and marked', async () => {
    const { id: assetId } = await setting.subject(kind);
    const clockWas = { offsetMs: -3 * 3_600_000, notBefore: '2026-11-18T09:30:00.000Z' };
    const input = setting.visit(kind, {
      performedAt: '2026-11-18T06:45:00.000Z',
      entries: [lineOf(kind, 'pass', assetId)],
    });
    await operative.checks.record.mutate({ ...input, clock: clockWas, ageMs: 60_000 });
    expect(await setting.readBack(kind, input.visitId)).toMatchObject({
      clockWrong: true,
      performedAt: '2026-11-18T09:45:00.000Z',
    });
  });

  test('a record that arrives days later is marked late; one tested yesterday and sent in time is not', async () => {
    const { id: assetId } = await setting.subject(kind);
    const recorded = async (visitDate: string, performedAt: string) => {
      const entries = [lineOf(kind, 'pass', assetId)];
      return (await operative.checks.record.mutate(setting.visit(kind, { visitDate, performedAt, entries })))
        .late;
    };
    expect(await recorded('2026-11-17', '2026-11-17T15:00:00.000Z')).toBe(false);
    expect(await recorded('2026-11-16', '2026-11-16T15:00:00.000Z')).toBe(true);
    // Recorded on a later day.
    expect(await recorded('2026-11-17', CHECKS_NOW)).toBe(true);
  });

  test('access lost meanwhile: the record is held, and an administrator lets it in under its own name', async () => {
    const named = { firstName: 'Rae', lastName: 'Holt', buildings: [building.id] };
    const person = await createPerson(server.services, { role: 'operative', ...named });
    const client = createTestClient(server.url, await signInAs(server, person));
    await server.services.db.delete(userLocationAccess).where(eq(userLocationAccess.userId, person.id));
    const { id: assetId } = await setting.subject(kind);
    const input = setting.visit(kind, { entries: [lineOf(kind, 'pass', assetId)] });
    expect(await client.checks.record.mutate(input)).toMatchObject({
      held: true,
      logNumber: null,
      raised: [],
    });
    expect(await setting.readBack(kind, input.visitId, admin)).toBeUndefined();
    const { data: held } = await admin.checks.held.query();
    const [line] = input.entries;
    expect(held.visits.find(({ id }) => id === input.visitId)).toMatchObject({
      kind,
      building: { id: building.id },
      why: 'no_access',
      obstacle: null,
      recordedByName: 'Rae Holt',
      // The result as the log would show it.
      entries: [{ id: line?.id, result: 'pass', notes: null }],
    });
    expect((await client.checks.heldOfMine.query()).data).toMatchObject([
      { id: input.visitId, state: 'held' },
    ]);
    const decision = { operationId: uuidv7(), id: input.visitId, accept: true } as const;
    await admin.checks.decideHeld.mutate(decision);
    expect(await setting.readBack(kind, input.visitId, admin)).toMatchObject({
      recordedBy: person.id,
      receivedAt: CHECKS_NOW,
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
