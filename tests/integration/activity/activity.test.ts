import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ActivityFilter, ActivityPage } from '#shared/features/activity/activity.ts';
import { actionLabel, describeChanges } from '#shared/features/activity/activity.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let admin: TestPerson;
let manager: TestPerson;
let asAdmin: TestClient;
let asManager: TestClient;
let harbour: TestBuilding;
let mill: TestBuilding;
let issueId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  harbour = await createBuilding(server.services, { name: 'Harbour House' });
  mill = await createBuilding(server.services, { name: 'Old Mill' });
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Smith' });
  manager = await createPerson(server.services, {
    role: 'manager',
    firstName: 'Max',
    lastName: 'Jones',
    buildings: [harbour.id],
  });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
  asManager = createTestClient(server.url, await signInAs(server, manager));
  issueId = uuidv7();
  await report(asManager, harbour, 'Leaking tap', issueId);
  await asManager.issues.update.mutate({
    operationId: uuidv7(),
    id: issueId,
    changes: { status: { from: 'open', to: 'in_progress' } },
  });
  await asManager.issues.comment.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    issueId,
    body: 'Plumber called',
  });
  await asAdmin.users.grant.mutate({ operationId: uuidv7(), userId: manager.id, buildingId: mill.id });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

function report(client: TestClient, building: TestBuilding, title: string, id: string = uuidv7()) {
  return client.issues.create.mutate({ operationId: uuidv7(), id, buildingId: building.id, title });
}

/** Returns the Activity that matches a filter, once at least this many events are sequenced. */
async function activity(filter: ActivityFilter = {}, atLeast = 1): Promise<ActivityPage> {
  const whole = async () => {
    const { data } = await asAdmin.activity.list.query({ filter, limit: 200 });
    expect(data.entries.length).toBeGreaterThanOrEqual(atLeast);
    return data;
  };
  return vi.waitFor(whole, PATIENCE);
}

describe('who did what', () => {
  test('is told newest first, in words, with what it was and what it became', async () => {
    const { entries, names } = await activity({}, 4);
    const said = entries.slice(0, 4).map((entry) => {
      const changes = describeChanges(entry, names).map(({ label, from, to }) => `${label}: ${from} → ${to}`);
      return [names[entry.actorId ?? ''], actionLabel(entry), entry.subject, ...changes].join(' | ');
    });
    const reference = `${harbour.code}-0001`;
    expect(said).toEqual([
      'Ada Smith | gave building access to | Max Jones | Location access: null → Old Mill',
      `Max Jones | commented on | ${reference} Leaking tap`,
      expect.stringContaining(
        `Max Jones | changed issue | ${reference} Leaking tap | Status: Open → In Progress`,
      ),
      `Max Jones | reported issue | ${reference} Leaking tap`,
    ]);
  });

  test('is narrowed by person, building, kind and time', async () => {
    const of = async (filter: ActivityFilter) =>
      (await activity(filter)).entries.map(({ command }) => command);
    expect(await of({ actorId: admin.id })).toEqual(['users.grant']);
    expect(await of({ buildingId: harbour.id.toUpperCase() })).toEqual([
      'issues.comment',
      'issues.update',
      'issues.create',
    ]);
    expect(await of({ entity: 'issueComment' })).toEqual(['issues.comment']);
    expect(await of({ actorId: manager.id, entity: 'issue', buildingId: harbour.id })).toEqual([
      'issues.update',
      'issues.create',
    ]);
    const [newest] = (await activity()).entries;
    const before = (await activity({ to: newest?.at ?? '' })).entries;
    expect(before.every(({ at }) => at < (newest?.at ?? ''))).toBe(true);
    const since = await activity({ from: newest?.at ?? '' });
    expect(since.entries.map(({ g }) => g)).toEqual([newest?.g]);
  });

  test('comes page by page without a gap or a double, while more is added', async () => {
    for (let n = 0; n < 6; n += 1) await report(asAdmin, mill, `Issue ${n}`);
    const all = (await activity({ buildingId: mill.id }, 6)).entries.map(({ g }) => g);
    const seen: number[] = [];
    let cursor: ActivityPage['nextCursor'] = null;
    do {
      const page: ActivityPage = (
        await asAdmin.activity.list.query({
          filter: { buildingId: mill.id },
          limit: 2,
          ...(cursor === null ? {} : { cursor }),
        })
      ).data;
      seen.push(...page.entries.map(({ g }) => g));
      cursor = page.nextCursor;
      if (seen.length === 2) await report(asAdmin, mill, 'Meanwhile');
    } while (cursor !== null);
    expect(seen).toEqual(all);
  });

  test('is only for people who manage users', async () => {
    expect((await refusalOf(asManager.activity.list.query({ filter: {} }))).code).toBe('forbidden');
    expect((await refusalOf(asManager.activity.actors.query())).code).toBe('forbidden');
    const visitor = createTestClient(server.url);
    expect((await refusalOf(visitor.activity.list.query({ filter: {} }))).code).toBe('unauthenticated');
  });

  test('says that something happened where its content was erased by law', async () => {
    await report(asAdmin, harbour, 'Names a tenant');
    const [named] = (await activity({ actorId: admin.id, buildingId: harbour.id })).entries;
    const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
    await sql`select erase_event_payload(${named?.g ?? 0}, ${admin.id})`;
    await sql.end();
    const found = (await activity({ actorId: admin.id, buildingId: harbour.id })).entries.find(
      ({ g }) => g === named?.g,
    );
    expect(found).toMatchObject({ erased: true, subject: null, changes: null, actorId: admin.id });
  });

  test('lists the people by whom it can be filtered', async () => {
    const { data } = await asAdmin.activity.actors.query();
    expect(data).toEqual([
      { id: admin.id, name: 'Ada Smith' },
      { id: manager.id, name: 'Max Jones' },
    ]);
  });
});
