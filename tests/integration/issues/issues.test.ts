import { and, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { events, outbox } from '#db/schema/live.ts';
import { counters } from '#db/schema/places.ts';
import { isDone } from '#shared/features/issues/issue-edit.ts';
import type { CreateIssueInput, UpdateIssueInput } from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES, PAUSE_REASONS } from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { editOverlay } from '#web/features/issues/edit-overlay.ts';

// A Wednesday, in winter time.
const NOW = '2026-11-18T10:00:00.000Z';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let building: TestBuilding;
let other: TestBuilding;
let managerPerson: TestPerson;
let viewerPerson: TestPerson;
let admin: TestClient;
let manager: TestClient;
let colleague: TestClient;
let viewer: TestClient;
let operative: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock(NOW);
  server = await startTestServer(database, { clock });
  [building, other] = [await createBuilding(server.services), await createBuilding(server.services)];
  const client = async (person: TestPerson) => createTestClient(server.url, await signInAs(server, person));
  const person = (role: string, ...buildings: string[]) => createPerson(server.services, { role, buildings });
  managerPerson = await person('manager', building.id);
  viewerPerson = await person('viewer', building.id);
  admin = await client(await person('admin'));
  manager = await client(managerPerson);
  colleague = await client(await person('manager', building.id));
  viewer = await client(viewerPerson);
  operative = await client(await person('operative', building.id));
  stranger = await client(await person('manager', other.id));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

function newIssue(values: Partial<CreateIssueInput> = {}): CreateIssueInput {
  return {
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: building.id,
    title: 'Leaking tap',
    description: 'Second floor',
    priority: 'medium',
    ...values,
  };
}

async function report(values: Partial<CreateIssueInput> = {}): Promise<string> {
  return (await manager.issues.create.mutate(newIssue(values))).id;
}

type Changes = UpdateIssueInput['changes'];
function edit(client: TestClient, id: string, changes: Changes, operationId = uuidv7()) {
  return client.issues.update.mutate({ operationId, id, changes });
}

async function stored(id: string) {
  const [row] = await server.services.db.select().from(buildingIssues).where(eq(buildingIssues.id, id));
  return row;
}

async function changesOf(id: string): Promise<number> {
  const { db } = server.services;
  // In one statement, because between two statements an event can move from the outbox to the log, and both would miss it.
  const [row] = await db.execute<{ n: number }>(sql`
    select ((select count(*) from ${outbox} where ${outbox.entityId} = ${id})
      + (select count(*) from ${events} where ${events.entityId} = ${id}))::int as n`);
  return row?.n ?? 0;
}

describe('reporting an issue', () => {
  test('gives it the number that was announced, its clocks and its names', async () => {
    const announced = await manager.issues.nextReference.query({ buildingId: building.id });
    const input = newIssue({ title: '  Leaking tap  ', priority: 'high' });
    const created = await manager.issues.create.mutate(input);
    expect(created).toEqual({ id: input.id, referenceNumber: announced.reference, version: 1 });
    expect(created.referenceNumber).toMatch(new RegExp(`^${building.code}-\\d{4}$`));
    const { data } = await viewer.issues.get.query({ id: input.id });
    expect(data).toMatchObject({
      title: 'Leaking tap',
      buildingName: building.name,
      status: 'open',
      source: 'person',
      reportedBy: managerPerson.id,
      reportedByName: expect.stringContaining('Test Person'),
      assignedTo: null,
      createdAt: NOW,
      resolvedAt: null,
      respondDueAt: '2026-11-18T14:00:00.000Z',
      resolveDueAt: '2026-11-19T10:00:00.000Z',
      version: 1,
    });
  });

  test('counts working days for what can wait', async () => {
    const { data } = await manager.issues.get.query({ id: await report({ priority: 'medium' }) });
    // One and five working days after Wednesday 10:00, across a weekend.
    expect(data.respondDueAt).toBe('2026-11-19T10:00:00.000Z');
    expect(data.resolveDueAt).toBe('2026-11-25T10:00:00.000Z');
  });

  test('by twenty people at once gives twenty numbers without a gap', async () => {
    const place = await createBuilding(server.services);
    const inputs = Array.from({ length: 20 }, () => newIssue({ buildingId: place.id }));
    const made = await Promise.all(inputs.map((input) => admin.issues.create.mutate(input)));
    expect(made.map(({ referenceNumber }) => referenceNumber).sort()).toEqual(
      inputs.map((_, index) => `${place.code}-${String(index + 1).padStart(4, '0')}`),
    );
  });

  test('that is refused leaves no gap in the numbers', async () => {
    const place = await createBuilding(server.services);
    const first = newIssue({ buildingId: place.id });
    await admin.issues.create.mutate(first);
    await refusalOf(admin.issues.create.mutate({ ...first, operationId: uuidv7() }));
    const next = await admin.issues.create.mutate(newIssue({ buildingId: place.id }));
    expect(next.referenceNumber).toBe(`${place.code}-0002`);
  });

  test('twice with one operation id makes one issue and gives the first answer again', async () => {
    const input = newIssue();
    const both = await Promise.all([
      manager.issues.create.mutate(input),
      manager.issues.create.mutate(input),
    ]);
    expect(both[0]).toEqual(both[1]);
    expect(await manager.issues.create.mutate(input)).toEqual(both[0]);
    expect(await changesOf(input.id)).toBe(1);
  });

  test('with an operation id that was used for something else is refused', async () => {
    const input = newIssue();
    await manager.issues.create.mutate(input);
    const again = { ...input, id: uuidv7(), title: 'Something else' };
    expect(await refusalOf(manager.issues.create.mutate(again))).toMatchObject({ code: 'operation_reused' });
    expect(await refusalOf(stranger.issues.create.mutate({ ...input, buildingId: other.id }))).toMatchObject({
      code: 'not_found',
    });
    expect(await stored(again.id)).toBeUndefined();
  });

  test('under an id that is in use is refused, without telling strangers that it is', async () => {
    const id = await report();
    expect(await refusalOf(colleague.issues.create.mutate(newIssue({ id })))).toMatchObject({
      code: 'duplicate',
    });
    const foreign = newIssue({ id, buildingId: other.id });
    expect(await refusalOf(stranger.issues.create.mutate(foreign))).toMatchObject({ code: 'not_found' });
    expect((await stored(id))?.version).toBe(1);
  });

  test.for([
    ['a blank title', { title: '   ' }, 'title', messages.issues.titleRequired],
    ['an overlong title', { title: 'x'.repeat(201) }, 'title', messages.common.tooLong(200)],
    [
      'an overlong description',
      { description: 'x'.repeat(5001) },
      'description',
      messages.common.tooLong(5000),
    ],
    ['no building', { buildingId: '' }, 'buildingId', messages.locations.buildingRequired],
    ['an unknown priority', { priority: 'urgent' }, 'priority', undefined],
    ['an id that is none', { id: '1' }, 'id', undefined],
    ['an operation id that is none', { operationId: 'x' }, 'operationId', undefined],
  ] as const)('with %s is refused at the field', async ([, values, field, sentence]) => {
    const count = async () => (await admin.issues.counts.query({ filter: {} })).data.total;
    const before = await count();
    // The cast: deliberately invalid input.
    const input = { ...newIssue(), ...values } as CreateIssueInput;
    const refusal = await refusalOf(manager.issues.create.mutate(input));
    expect(refusal.code).toBe('invalid');
    expect(Object.keys(refusal.fields ?? {})).toContain(field);
    if (sentence !== undefined) expect(refusal.fields?.[field]).toBe(sentence);
    expect(await count()).toBe(before);
  });

  test('with an unknown field, or a text that cannot be stored, is refused', async () => {
    const more = { ...newIssue(), status: 'closed' };
    expect((await refusalOf(manager.issues.create.mutate(more))).code).toBe('invalid');
    const input = newIssue({ title: 'half of a smile \ud83d' });
    expect(await refusalOf(manager.issues.create.mutate(input))).toEqual({
      code: 'invalid',
      fields: { title: messages.common.unstorable },
    });
    expect(await stored(input.id)).toBeUndefined();
  });

  test('at a building that is absent, archived or not the person’s is refused alike', async () => {
    const archived = await createBuilding(server.services, { archivedAt: NOW });
    for (const buildingId of [uuidv7(), archived.id, other.id]) {
      const refusal = await refusalOf(manager.issues.create.mutate(newIssue({ buildingId })));
      expect(refusal).toEqual({ code: 'not_found' });
      const preview = await refusalOf(manager.issues.nextReference.query({ buildingId }));
      expect(preview).toEqual({ code: 'not_found' });
    }
    expect((await refusalOf(operative.issues.create.mutate(newIssue()))).code).toBe('forbidden');
    expect((await viewer.issues.create.mutate(newIssue())).version).toBe(1);
  });
});

describe('changing an issue', () => {
  test('of two people who change the same field, the second is asked', async () => {
    const id = await report({ title: 'One' });
    const outcomes = await Promise.allSettled([
      edit(manager, id, { title: { from: 'One', to: 'Two' } }),
      edit(colleague, id, { title: { from: 'One', to: 'Three' } }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const title = (await stored(id))?.title;
    const loser = title === 'Two' ? 'Three' : 'Two';
    const refusal = await refusalOf(
      edit(manager, id, { title: { from: 'One', to: loser }, priority: { from: 'medium', to: 'low' } }),
    );
    expect(refusal).toEqual({ code: 'conflict', fields: { title }, version: 2 });
    expect(await stored(id)).toMatchObject({ title, priority: 'medium', version: 2 });
  });

  test('two people who change different fields both succeed', async () => {
    const id = await report();
    await Promise.all([
      edit(manager, id, { title: { from: 'Leaking tap', to: 'Burst pipe' } }),
      edit(colleague, id, { priority: { from: 'medium', to: 'critical' } }),
    ]);
    expect(await stored(id)).toMatchObject({ title: 'Burst pipe', priority: 'critical', version: 3 });
  });

  test('to what it already is changes nothing and records no event', async () => {
    const id = await report();
    await edit(manager, id, { title: { from: 'Leaking tap', to: 'Burst pipe' } });
    const answer = await edit(colleague, id, { title: { from: 'Leaking tap', to: 'Burst pipe' } });
    expect(answer).toEqual({ id, version: 2 });
    expect(await changesOf(id)).toBe(2);
  });

  test('resolves, keeps the moment when closing, clears it when reopening', async () => {
    const id = await report();
    const resolvedAt = clock.now().toISOString();
    await edit(manager, id, { status: { from: 'open', to: 'resolved' } });
    expect(await stored(id)).toMatchObject({ resolvedAt, respondedAt: resolvedAt });
    clock.advance(60_000);
    await edit(manager, id, { status: { from: 'resolved', to: 'closed' } });
    expect(await stored(id)).toMatchObject({ resolvedAt });
    await edit(manager, id, { status: { from: 'closed', to: 'in_progress' } });
    expect(await stored(id)).toMatchObject({ resolvedAt: null, respondedAt: resolvedAt });
    clock.set(NOW);
  });

  test('answers it by the first assignment', async () => {
    const id = await report();
    await edit(manager, id, { assignedTo: { from: null, to: viewerPerson.id.toUpperCase() } });
    const { data } = await manager.issues.get.query({ id });
    expect(data).toMatchObject({ respondedAt: NOW, assignedTo: viewerPerson.id });
    expect(data.assignedToName).toContain('Test Person');
  });

  test('cannot assign it to a person who may not see it', async () => {
    const id = await report();
    const operativePerson = await createPerson(server.services, {
      role: 'operative',
      buildings: [building.id],
    });
    const elsewhere = await createPerson(server.services, { role: 'manager', buildings: [other.id] });
    const left = await createPerson(server.services, {
      role: 'manager',
      buildings: [building.id],
      deactivatedAt: NOW,
    });
    for (const to of [operativePerson.id, elsewhere.id, left.id, uuidv7()]) {
      expect(await refusalOf(edit(manager, id, { assignedTo: { from: null, to } }))).toEqual({
        code: 'invalid',
        fields: { 'changes.assignedTo.to': messages.issues.assigneeUnknown },
      });
    }
    expect(await changesOf(id)).toBe(1);
    const names = await manager.issues.assignees.query({ buildingId: building.id });
    expect(names.map((person) => person.id)).toContain(managerPerson.id);
    expect(names.map((person) => person.id)).not.toContain(operativePerson.id);
  });

  test('works out the due dates anew with another priority', async () => {
    const id = await report({ priority: 'medium' });
    await edit(manager, id, { priority: { from: 'medium', to: 'critical' } });
    expect(await stored(id)).toMatchObject({
      respondDueAt: '2026-11-18T11:00:00.000Z',
      resolveDueAt: '2026-11-18T14:00:00.000Z',
    });
  });

  test('stops the clocks while it waits, and sets them later afterwards', async () => {
    const id = await report({ priority: 'medium' });
    await edit(manager, id, { pauseReason: { from: null, to: 'parts' } });
    expect(await stored(id)).toMatchObject({ pausedAt: NOW });
    // Monday noon: two days and two hours of working time later.
    clock.set('2026-11-23T12:00:00.000Z');
    await edit(manager, id, { pauseReason: { from: 'parts', to: null } });
    expect(await stored(id)).toMatchObject({
      pausedAt: null,
      respondDueAt: '2026-11-24T12:00:00.000Z',
      resolveDueAt: '2026-11-30T12:00:00.000Z',
    });
    await edit(manager, id, { priority: { from: 'medium', to: 'high' } });
    // Targets in hours also run at night: four and twenty-four hours after the report, plus a pause of five days and
    // two hours.
    expect(await stored(id)).toMatchObject({
      respondDueAt: '2026-11-23T16:00:00.000Z',
      resolveDueAt: '2026-11-24T12:00:00.000Z',
    });
    clock.set(NOW);
  });

  test('ends the waiting of an issue that is done, and refuses to begin it', async () => {
    const id = await report();
    await edit(manager, id, { pauseReason: { from: null, to: 'access' } });
    await edit(manager, id, { status: { from: 'open', to: 'resolved' } });
    expect(await stored(id)).toMatchObject({ pauseReason: null, pausedAt: null });
    expect(await refusalOf(edit(manager, id, { pauseReason: { from: null, to: 'parts' } }))).toEqual({
      code: 'invalid',
      fields: { 'changes.pauseReason.to': messages.issues.doneNotPaused },
    });
  });

  test('leaves the row that the browser has shown before the answer', async () => {
    // With targets in hours, as these priorities have, the browser can compute the due dates too.
    const priorities = fc.constantFrom('critical' as const, 'high' as const);
    const status = fc.constantFrom(...ISSUE_STATUSES);
    const pauseReason = fc.option(fc.constantFrom(...PAUSE_REASONS), { nil: null });
    const steps = fc.array(fc.oneof(fc.record({ status }), fc.record({ pauseReason })), {
      minLength: 4,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(priorities, steps, async (priority, edits) => {
        clock.set(NOW);
        const id = await report({ priority });
        for (const set of edits) {
          clock.advance(7 * 3_600_000);
          const { data: before } = await manager.issues.get.query({ id });
          const shown = { ...before, ...editOverlay(before, set, clock.now().toISOString()) };
          const changes: Changes =
            'status' in set
              ? { status: { from: before.status, to: set.status } }
              : { pauseReason: { from: before.pauseReason, to: set.pauseReason } };
          const refused = 'pauseReason' in set && set.pauseReason !== null && isDone(before.status);
          const sent = edit(manager, id, changes);
          if (refused) {
            expect((await refusalOf(sent)).code).toBe('invalid');
            continue;
          }
          const { version } = await sent;
          expect((await manager.issues.get.query({ id })).data).toEqual({ ...shown, version });
        }
      }),
      { numRuns: 4 },
    );
    clock.set(NOW);
  });

  test('twice with one operation id changes it once', async () => {
    const id = await report();
    const operationId = uuidv7();
    const changes: Changes = { priority: { from: 'medium', to: 'low' } };
    const first = await edit(manager, id, changes, operationId);
    await edit(manager, id, { priority: { from: 'low', to: 'high' } });
    expect(await edit(manager, id, changes, operationId)).toEqual(first);
    expect(await stored(id)).toMatchObject({ priority: 'high', version: 3 });
    const reused = edit(manager, id, { priority: { from: 'high', to: 'low' } }, operationId);
    expect((await refusalOf(reused)).code).toBe('operation_reused');
  });

  test('after a refusal may be sent again, mended, as the same operation', async () => {
    const id = await report();
    const operationId = uuidv7();
    const stale = edit(manager, id, { title: { from: 'Other', to: 'Mended' } }, operationId);
    expect((await refusalOf(stale)).code).toBe('conflict');
    await edit(manager, id, { title: { from: 'Leaking tap', to: 'Mended' } }, operationId);
    expect((await stored(id))?.title).toBe('Mended');
  });

  test.for([
    ['nothing', {}],
    ['a blank title', { title: { from: 'Leaking tap', to: ' ' } }],
    ['an unknown status', { status: { from: 'open', to: 'done' } }],
    ['a field without what was seen', { title: { to: 'x' } }],
    ['a field that is not theirs', { referenceNumber: { from: 'a', to: 'b' } }],
    ['an unknown reason to wait', { pauseReason: { from: null, to: 'holiday' } }],
  ] as const)('to %s is refused and stores nothing', async ([, changes]) => {
    const id = await report();
    // The cast: deliberately invalid input.
    expect((await refusalOf(edit(manager, id, changes as unknown as Changes))).code).toBe('invalid');
    expect(await changesOf(id)).toBe(1);
  });

  test('that is absent or not the person’s is refused alike, and viewers are refused before', async () => {
    const id = await report();
    const changes: Changes = { priority: { from: 'medium', to: 'low' } };
    expect(await refusalOf(edit(stranger, id, changes))).toEqual({ code: 'not_found' });
    expect(await refusalOf(edit(manager, uuidv7(), changes))).toEqual({ code: 'not_found' });
    expect(await refusalOf(edit(viewer, id, changes))).toEqual({ code: 'forbidden' });
    expect((await stored(id))?.version).toBe(1);
  });

  test('held up by another transaction’s lock answers busy within seconds', async () => {
    const id = await report();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const holder = server.services.db.transaction(async (tx) => {
      await tx.select().from(buildingIssues).where(eq(buildingIssues.id, id)).for('update');
      locked();
      await held;
    });
    await isLocked;
    const refusal = await refusalOf(edit(manager, id, { priority: { from: 'medium', to: 'low' } }));
    release();
    await holder;
    expect(refusal.code).toBe('busy');
    expect((await stored(id))?.version).toBe(1);
  });

  test('that hangs before its commit delays no other change in the building', async () => {
    const [stuck, free] = [await report(), await report()];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let changed = () => {};
    const isChanged = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const holder = server.services.db.transaction(async (tx) => {
      await tx.update(buildingIssues).set({ status: 'closed' }).where(eq(buildingIssues.id, stuck));
      changed();
      await held;
    });
    await isChanged;
    // This would answer busy if the building's counter were locked.
    await edit(manager, free, { status: { from: 'open', to: 'closed' } });
    release();
    await holder;
    expect((await stored(free))?.status).toBe('closed');
  });

  test('from and to every status, by many at once, causes no deadlock', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => report()));
    const round = (from: 'open' | 'closed', to: 'open' | 'closed') => (id: string) =>
      edit(manager, id, { status: { from, to } });
    await Promise.all(ids.map(round('open', 'closed')));
    // Half of the issues are reopened while the other half is edited; then both halves move in opposite directions.
    await Promise.all(
      ids.map((id, index) =>
        index % 2 === 0
          ? round('closed', 'open')(id)
          : edit(manager, id, { priority: { from: 'medium', to: 'low' } }),
      ),
    );
    await Promise.all(
      ids.map((id, index) => (index % 2 === 0 ? round('open', 'closed')(id) : round('closed', 'open')(id))),
    );
    const ends = await Promise.all(ids.map(async (id) => (await stored(id))?.status));
    expect(ends).toEqual(ids.map((_, index) => (index % 2 === 0 ? 'closed' : 'open')));
  });
});

describe('comments', () => {
  const comment = (client: TestClient, issueId: string, body = 'On its way', id = uuidv7()) =>
    client.issues.comment.mutate({ operationId: uuidv7(), id, issueId, body });

  test('may be written by people who edit issues and by the reporter of this one', async () => {
    const own = newIssue();
    await viewer.issues.create.mutate(own);
    const id = uuidv7();
    expect(await comment(viewer, own.id, '  When?  ', id)).toEqual({ id, version: 1 });
    clock.advance(1000);
    await comment(manager, own.id, 'Tomorrow');
    const { data } = await viewer.issues.comments.query({ id: own.id });
    expect(data.map(({ body }) => body)).toEqual(['When?', 'Tomorrow']);
    expect(data[0]).toMatchObject({
      id,
      issueId: own.id,
      buildingId: building.id,
      authorId: viewerPerson.id,
    });
    clock.set(NOW);
  });

  test('come newest first, and the earlier ones page by page', async () => {
    const id = await report();
    const said = ['One', 'Two', 'Three', 'Four', 'Five'];
    for (const body of said) {
      await comment(manager, id, body);
      clock.advance(1000);
    }
    const read: string[] = [];
    let before: { createdAt: string; id: string } | undefined;
    for (let page = 0; page < 3; page += 1) {
      const { data } = await viewer.issues.comments.query({ id, limit: 2, ...(before && { before }) });
      read.unshift(...data.map(({ body }) => body));
      before = data[0] && { createdAt: data[0].createdAt, id: data[0].id };
    }
    expect(read).toEqual(said);
    clock.set(NOW);
  });

  test('are refused to all others', async () => {
    const id = await report();
    expect((await refusalOf(comment(viewer, id))).code).toBe('forbidden');
    expect((await refusalOf(comment(operative, id))).code).toBe('forbidden');
    expect(await refusalOf(comment(stranger, id))).toEqual({ code: 'not_found' });
    expect(await refusalOf(comment(manager, uuidv7()))).toEqual({ code: 'not_found' });
    expect(await refusalOf(stranger.issues.comments.query({ id }))).toEqual({ code: 'not_found' });
    const kept = await server.services.db.select().from(issueComments).where(eq(issueComments.issueId, id));
    expect(kept).toEqual([]);
  });

  test('that are blank, overlong or under an id in use are refused', async () => {
    const issueId = await report();
    expect(await refusalOf(comment(manager, issueId, '  '))).toEqual({
      code: 'invalid',
      fields: { body: messages.issues.commentRequired },
    });
    expect((await refusalOf(comment(manager, issueId, 'x'.repeat(5001)))).code).toBe('invalid');
    const { id } = await comment(manager, issueId);
    expect((await refusalOf(comment(manager, issueId, 'Again', id))).code).toBe('duplicate');
    const elsewhere = newIssue({ buildingId: other.id });
    await stranger.issues.create.mutate(elsewhere);
    expect(await refusalOf(comment(stranger, elsewhere.id, 'Mine', id))).toEqual({ code: 'not_found' });
  });
});

describe('the history of an issue', () => {
  test('tells who changed what, when, from what to what, newest first', async () => {
    const id = await report({ priority: 'low' });
    clock.advance(60_000);
    const at = clock.now().toISOString();
    await edit(colleague, id, {
      status: { from: 'open', to: 'resolved' },
      assignedTo: { from: null, to: managerPerson.id },
    });
    const read = async () => (await viewer.issues.history.query({ id })).data.entries;
    await expect.poll(async () => (await read()).length).toBe(2);
    const [changed, reported] = await read();
    expect(changed).toMatchObject({
      at,
      command: 'issues.update',
      actorName: expect.stringContaining('Test Person'),
      erased: false,
      changes: {
        status: ['open', 'resolved'],
        resolvedAt: [null, at],
        respondedAt: [null, at],
        assignedTo: [null, managerPerson.id],
        assignedToName: [null, expect.stringContaining('Test Person')],
      },
    });
    expect(reported).toMatchObject({ command: 'issues.create', changes: null, actorId: managerPerson.id });
    expect(await refusalOf(stranger.issues.history.query({ id }))).toEqual({ code: 'not_found' });
    clock.set(NOW);
  });

  test('comes in pages, and says what was erased', async () => {
    const id = await report({ title: '0' });
    for (let n = 0; n < 51; n += 1) await edit(manager, id, { title: { from: `${n}`, to: `${n + 1}` } });
    const last = async () => (await viewer.issues.history.query({ id })).data.entries[0]?.changes?.['title'];
    await expect.poll(last).toEqual(['50', '51']);
    const first = (await viewer.issues.history.query({ id })).data;
    expect(first.entries).toHaveLength(50);
    const cursor = first.nextCursor ?? undefined;
    const rest = (await viewer.issues.history.query({ id, cursor })).data;
    expect(rest.entries.map((entry) => entry.changes?.['title'])).toEqual([['0', '1'], undefined]);
    expect(rest.nextCursor).toBeNull();

    const owner = postgres(database.ownerUrl, { max: 1 });
    await owner`select erase_event_payload(${first.entries[0]?.g ?? 0}, ${managerPerson.id})`;
    await owner.end();
    const [erased] = (await viewer.issues.history.query({ id })).data.entries;
    expect(erased).toMatchObject({ erased: true, changes: null, command: 'issues.update' });
  });
});

test('the tallies equal a count after any change', async () => {
  const { db } = server.services;
  const wrong = await db.execute(sql`
    select * from (select building_id, status, count(*)::int n from building_issues group by 1, 2) counted
    full join issue_tallies t using (building_id, status) where coalesce(n, 0) <> coalesce(t.count, 0)`);
  expect([...wrong]).toEqual([]);
  const [gap] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(counters)
    .where(
      and(
        eq(counters.kind, 'issue'),
        sql`${counters.value} <> (select count(*) from building_issues b where b.building_id = ${counters.buildingId})`,
      ),
    );
  expect(gap?.n).toBe(0);
});
