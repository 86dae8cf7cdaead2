import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import {
  type CheckSetting,
  createCheckSetting,
  type VisitValues,
} from '#tests/support/rows/check-setting.ts';
import { lineOf } from '#tests/support/rows/checks.ts';
import { createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import type { TestServer } from '#tests/support/server/server.ts';

// Records that are held, and the decisions about them.

let setting: CheckSetting;
let server: TestServer;
let building: TestBuilding;
let other: TestBuilding;
let admin: TestClient;

beforeAll(async () => {
  setting = await createCheckSetting();
  ({ server, building, other, admin } = setting);
});
afterAll(() => setting.end());

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
    const { id: assetId } = await setting.subject('emergency_lighting_test');
    const input = setting.visit('emergency_lighting_test', {
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
    expect(await setting.readBack('emergency_lighting_test', input.visitId, admin)).toBeUndefined();
    const waiting = (await admin.checks.held.query()).data.visits.filter(({ id }) => id === input.visitId);
    expect(waiting).toMatchObject([{ kind: input.kind, entries: [{ result: 'fail' }] }]);
    const decision = { operationId: uuidv7(), id: input.visitId, accept: true } as const;
    const { receipt: accepted } = await admin.checks.decideHeld.mutate(decision);
    expect(accepted).toMatchObject({ held: false, raised: [{ joined: false }] });
    expect(await setting.readBack('emergency_lighting_test', input.visitId, admin)).toMatchObject({
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

describe('a held record', () => {
  const kind = 'outlet_flushing';

  /** Records as a person without any site, so the record is held. */
  async function hold(values: VisitValues) {
    const person = await createPerson(server.services, { role: 'operative' });
    const client = createTestClient(server.url, await signInAs(server, person));
    const input = setting.visit(kind, values);
    const receipt = await client.checks.record.mutate(input);
    expect(receipt.held).toBe(true);
    const seen = async () =>
      (await admin.checks.held.query()).data.visits.find(({ id }) => id === input.visitId);
    return { client, input, seen };
  }

  test('is refused with a reason that its recorder reads, and never enters the log', async () => {
    const { id: assetId } = await setting.subject(kind);
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
    expect(await setting.readBack(kind, input.visitId, admin)).toBeUndefined();
    expect((await client.checks.heldOfMine.query()).data).toMatchObject([{ state: 'refused', reason }]);
    const latest = async () =>
      (await admin.activity.list.query({ filter: { entity: 'heldCheck' } })).data.entries[0];
    await expect.poll(latest).toMatchObject({
      command: 'checks.decideHeld',
      subject: 'Outlet flushing, Nov 18, 2026',
      changes: { state: ['held', 'refused'], reason: [null, reason] },
    });
  });

  test('says why it cannot enter the log: no such site, or something that is not there', async () => {
    const { id: assetId } = await setting.subject(kind);
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
    const refusal = await refusalOf(
      client.checks.record.mutate(setting.visit(kind, { visitDate: '2026-11-20' })),
    );
    expect(refusal.code).toBe('invalid');
  });
});
