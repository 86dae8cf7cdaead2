import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type CheckSetting, createCheckSetting } from '#tests/support/rows/check-setting.ts';
import { lineOf } from '#tests/support/rows/checks.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

// The effects of a record on assets and issues.

let setting: CheckSetting;
let server: TestServer;
let building: TestBuilding;
let operative: TestClient;
let manager: TestClient;
let admin: TestClient;

beforeAll(async () => {
  setting = await createCheckSetting();
  ({ server, building, operative, manager, admin } = setting);
});
afterAll(() => setting.end());

describe('the last visit of an asset', () => {
  const kind = 'emergency_lighting_test';
  const lastVisit = async (id: string) => (await admin.assets.get.query({ id })).data;

  test('moves with each check of it, live and never backwards; what was not tested was not visited', async () => {
    const [tested, untested] = [await setting.subject(kind), await setting.subject(kind)];
    const lines = () => [
      lineOf(kind, 'pass', tested.id),
      { ...lineOf(kind, 'pass', untested.id), passed: null, notes: 'Locked' },
    ];
    const recorded = async (visitDate: string, entries: unknown[]) =>
      operative.checks.record.mutate(
        setting.visit(kind, { visitDate, performedAt: `${visitDate}T09:00:00.000Z`, entries }),
      );
    await recorded('2026-11-10', lines());
    expect(await lastVisit(tested.id)).toMatchObject({ lastVisitDate: '2026-11-10', version: 2 });
    expect(await lastVisit(untested.id)).toMatchObject({ lastVisitDate: null, version: 1 });
    // A history is read from the event log, which an event reaches only after its command has been answered.
    const history = async () => (await manager.assets.history.query({ id: tested.id })).data.entries;
    await expect
      .poll(history)
      .toMatchObject([{ command: 'checks.record', changes: { lastVisitDate: [null, '2026-11-10'] } }]);
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

  test('in the future, as an import once took it, is put right by the next check', async () => {
    const tested = await setting.subject(kind);
    await server.services.db
      .update(assets)
      .set({ lastVisitDate: '2062-11-26' })
      .where(eq(assets.id, tested.id));
    const entries = [lineOf(kind, 'pass', tested.id)];
    const at = { visitDate: '2026-11-10', performedAt: '2026-11-10T09:00:00.000Z' };
    await operative.checks.record.mutate(setting.visit(kind, { ...at, entries }));
    expect(await lastVisit(tested.id)).toMatchObject({ lastVisitDate: '2026-11-10' });
  });

  test('of more than a hundred is told in one event', async () => {
    const site = await createBuilding(server.services);
    const lights: string[] = [];
    for (let n = 0; n < 101; n += 1) lights.push((await setting.subject(kind, { buildingId: site.id })).id);
    const input = setting.visit(kind, {
      buildingId: site.id,
      entries: lights.map((id) => lineOf(kind, 'pass', id)),
    });
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
  const { id } = await setting.subject(kind);
  const recorded = async (result: 'pass' | 'fail', performedAt: string) => {
    const input = setting.visit(kind, {
      visitDate: dayOf(performedAt),
      performedAt,
      entries: [lineOf(kind, result, id)],
    });
    const { raised } = await operative.checks.record.mutate(input);
    return { visitId: input.visitId, entryId: input.entries[0]?.id ?? '', raised };
  };
  const first = await recorded('fail', '2026-11-16T08:00:00.000Z');
  const pass = await recorded('pass', '2026-11-18T09:00:00.000Z');
  expect((await setting.readBack(kind, pass.visitId))?.entries[0]?.retestOf).toBe(first.entryId);
  // A failure of the same day, before the pass.
  const late = await recorded('fail', '2026-11-18T08:00:00.000Z');
  expect(late.raised).toHaveLength(1);
  expect((await setting.readBack(kind, late.visitId))?.entries[0]?.retestOf).toBe(first.entryId);
  expect(await setting.readBack(kind, pass.visitId)).toMatchObject({
    version: 2,
    result: 'pass',
    entries: [{ retestOf: late.entryId }],
  });
  const { data: thread } = await manager.checks.thread.query({ entryId: late.entryId });
  expect(thread.retestPassed).toBe(true);
  expect(thread.story.map(({ entry }) => entry.id)).toEqual([first.entryId, late.entryId, pass.entryId]);
  const issueId = late.raised[0]?.issueId ?? '';
  expect((await manager.checks.ofIssue.query({ issueId })).data.settled).toBe(true);
  const latest = async () => {
    const filter = { entity: 'checkVisit', buildingId: building.id } as const;
    const { data } = await admin.activity.list.query({ filter });
    return data.entries.slice(0, 2).map(({ changes }) => changes);
  };
  await expect.poll(latest).toContainEqual({ retestOf: [null, expect.stringMatching(/^#\d+$/)] });
});

test('two failures of one call point at the same moment share one issue', async () => {
  const { id } = await setting.subject('fire_alarm_test');
  const receipts = await Promise.all(
    Array.from({ length: 4 }, () =>
      operative.checks.record.mutate(
        setting.visit('fire_alarm_test', { entries: [lineOf('fire_alarm_test', 'fail', id)] }),
      ),
    ),
  );
  expect(new Set(receipts.map(({ raised }) => raised[0]?.issueId)).size).toBe(1);
  expect(receipts.filter(({ raised }) => raised[0]?.joined === false)).toHaveLength(1);
  expect(new Set(receipts.map(({ logNumber }) => logNumber)).size).toBe(4);
});

test('an operative reads of an issue the number, and the last reply where it is their own check', async () => {
  const { id } = await setting.subject('fire_alarm_test');
  const line = lineOf('fire_alarm_test', 'fail', id);
  const { raised } = await operative.checks.record.mutate(
    setting.visit('fire_alarm_test', { entries: [line] }),
  );
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
  const { id } = await setting.subject(kind);
  const line = lineOf(kind, 'fail', id);
  const { raised } = await operative.checks.record.mutate(setting.visit(kind, { entries: [line] }));
  const entry = lineOf(kind, 'pass', id);
  const amendment = { kind, operationId: uuidv7(), entryId: line.id, reason: 'Misheard', entry };
  await operative.checks.amend.mutate(amendment as never);
  const { data: mine } = await operative.checks.raisedByMine.query();
  const issueId = raised[0]?.issueId;
  expect(mine.filter((one) => one.issueId === issueId)).toMatchObject([{ entryId: line.id, status: 'open' }]);
});
