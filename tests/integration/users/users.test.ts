import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import {
  createBuilding,
  createClient,
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
let asAdmin: TestClient;
let building: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  building = await createBuilding(server.services);
  admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = await clientOf(admin);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function clientOf(person: TestPerson): Promise<TestClient> {
  return createTestClient(server.url, await signInAs(server, person));
}

function operation() {
  return { operationId: uuidv7() };
}

describe('a role', () => {
  let person: TestPerson;
  beforeEach(async () => {
    person = await createPerson(server.services, { role: 'viewer', buildings: [building.id] });
  });

  test('that is changed counts at the next call, on the same session', async () => {
    const client = await clientOf(person);
    expect((await refusalOf(client.users.list.query())).code).toBe('forbidden');
    const changed = await asAdmin.users.setRole.mutate({ ...operation(), userId: person.id, role: 'admin' });
    expect(changed).toEqual({ id: person.id, version: 2 });
    expect((await client.users.list.query()).data.length).toBeGreaterThan(1);
    expect((await client.session.me.query()).data).toMatchObject({
      role: 'admin',
      buildings: 'all',
      accessVersion: 2,
    });
    await asAdmin.users.setRole.mutate({ ...operation(), userId: person.id, role: 'operative' });
    expect((await refusalOf(client.users.list.query())).code).toBe('forbidden');
  });

  test('is only ever added, so that its history stays', async () => {
    for (const role of ['manager', 'operative', 'operative', 'viewer'] as const) {
      await asAdmin.users.setRole.mutate({ ...operation(), userId: person.id, role });
    }
    const history = await server.services.db
      .select({ role: userRoles.role, by: userRoles.assignedBy })
      .from(userRoles)
      .where(eq(userRoles.userId, person.id))
      .orderBy(asc(userRoles.id));
    expect(history).toEqual([
      { role: 'viewer', by: null },
      { role: 'manager', by: admin.id },
      { role: 'operative', by: admin.id },
      { role: 'viewer', by: admin.id },
    ]);
  });

  test('is changed by one of two administrators at once; the other learns what it is now', async () => {
    const ends = await Promise.allSettled(
      (['manager', 'operative'] as const).map((role) =>
        asAdmin.users.setRole.mutate({ ...operation(), userId: person.id, from: 'viewer', role }),
      ),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const role = ends[0]?.status === 'fulfilled' ? 'manager' : 'operative';
    const history = await server.services.db
      .select({ role: userRoles.role })
      .from(userRoles)
      .where(eq(userRoles.userId, person.id))
      .orderBy(asc(userRoles.id));
    expect(history.map((entry) => entry.role)).toEqual(['viewer', role]);
    const late = asAdmin.users.setRole.mutate({
      ...operation(),
      userId: person.id,
      from: 'viewer',
      role: 'admin',
    });
    const refusal = await refusalOf(late);
    expect(refusal).toMatchObject({ code: 'conflict', fields: { role }, version: 2 });
    expect(refusal.message).toContain(role === 'manager' ? 'Manager' : 'Operative');
  });

  test('that is absent makes a viewer without buildings; one that is none of the four gives no permission', async () => {
    const roleless = await createPerson(server.services, { role: null });
    const stranger = await createPerson(server.services, { role: 'superadmin', buildings: [building.id] });
    expect((await (await clientOf(roleless)).session.me.query()).data).toMatchObject({
      role: 'viewer',
      buildings: [],
    });
    const client = await clientOf(stranger);
    expect((await client.session.me.query()).data).toMatchObject({
      role: null,
      permissions: [],
      buildings: [],
    });
    expect((await client.locations.mine.query()).data).toEqual([]);
    expect((await refusalOf(client.locations.listClients.query({}))).code).toBe('forbidden');
  });

  test('cannot be raised by the person themselves', async () => {
    const client = await clientOf(await createPerson(server.services, { role: 'manager' }));
    const me = (await client.session.me.query()).data;
    for (const setupCode of [undefined, 'any-code']) {
      const refusal = await refusalOf(
        client.users.setRole.mutate({ ...operation(), userId: me.id, role: 'admin', setupCode }),
      );
      expect(refusal).toEqual({ code: 'forbidden' });
    }
  });

  test('is told to the person and to the list of people, once', async () => {
    const input = { ...operation(), userId: person.id, role: 'manager' as const };
    const [first, second] = await Promise.all([
      asAdmin.users.setRole.mutate(input),
      asAdmin.users.setRole.mutate(input),
    ]);
    expect(second).toEqual(first);
    await vi.waitFor(async () => {
      const waiting = await server.services.db.execute(sql`select 1 from outbox`);
      expect(waiting).toHaveLength(0);
    }, PATIENCE);
    const told = await server.services.db.execute<{
      entity: string;
      op: string;
      persons: string[];
      body: string;
    }>(sql`
      select entity, op, persons, body from events join event_payloads using (g)
      where operation_id = ${input.operationId} order by g`);
    expect(told.map(({ entity, op }) => `${entity} ${op}`)).toEqual(['person put', 'access access']);
    expect(JSON.parse(told[0]?.body ?? '')).toMatchObject({
      row: { id: person.id, role: 'manager', version: 2 },
      changes: { role: ['viewer', 'manager'] },
    });
    expect(told[1]?.persons).toEqual([person.id]);
  });
});

describe('the last administrator', () => {
  test('stays one, alone and when two step down at the same moment', async () => {
    const other = await createTestDatabase();
    const alone = await startTestServer(other);
    const [one, two] = await Promise.all([
      createPerson(alone.services, { role: 'admin' }),
      createPerson(alone.services, { role: 'admin' }),
    ]);
    const gone = { role: 'admin', deactivatedAt: new Date().toISOString() };
    await createPerson(alone.services, gone);
    const stepDown = async (person: TestPerson) =>
      createTestClient(alone.url, await signInAs(alone, person)).users.setRole.mutate({
        ...operation(),
        userId: person.id,
        role: 'viewer',
      });
    const outcomes = await Promise.allSettled([stepDown(one), stepDown(two)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = outcomes[0]?.status === 'fulfilled' ? two : one;
    expect(await refusalOf(stepDown(left))).toEqual({
      code: 'forbidden',
      message: userMessages.lastAdmin,
    });
    await alone.stop();
    await other.drop();
  });
});

describe('access to a building', () => {
  test('counts from the next call, and its loss too; twice is once', async () => {
    const person = await createPerson(server.services, { role: 'viewer' });
    const client = await clientOf(person);
    const input = { userId: person.id, buildingId: building.id };
    expect((await client.locations.mine.query()).data).toEqual([]);
    const granted = await asAdmin.users.grant.mutate({ ...operation(), ...input });
    expect(await asAdmin.users.grant.mutate({ ...operation(), ...input })).toEqual(granted);
    expect((await client.locations.mine.query()).data.map(({ id }) => id)).toEqual([building.id]);
    const revoked = await asAdmin.users.revoke.mutate({ ...operation(), ...input });
    expect(revoked.version).toBe(granted.version + 1);
    expect(await asAdmin.users.revoke.mutate({ ...operation(), ...input })).toEqual(revoked);
    expect((await client.locations.mine.query()).data).toEqual([]);
  });

  test('cannot be given to what does not exist, or is archived', async () => {
    const person = await createPerson(server.services, { role: 'viewer' });
    const archived = await createBuilding(server.services, { archivedAt: new Date().toISOString() });
    const tries = [
      { userId: person.id, buildingId: uuidv7() },
      { userId: uuidv7(), buildingId: building.id },
      { userId: person.id, buildingId: archived.id },
    ];
    for (const input of tries) {
      const refusal = await refusalOf(asAdmin.users.grant.mutate({ ...operation(), ...input }));
      expect(refusal).toEqual({ code: 'not_found' });
    }
    const rows = await server.services.db
      .select()
      .from(userLocationAccess)
      .where(eq(userLocationAccess.userId, person.id));
    expect(rows).toEqual([]);
    const [profile] = await server.services.db.select().from(profiles).where(eq(profiles.id, person.id));
    expect(profile?.version).toBe(1);
  });

  test('is not given to a building that was archived while the giving waited', async () => {
    const { db } = server.services;
    const person = await createPerson(server.services, { role: 'viewer' });
    const waiting = async () => (await db.execute(LOCK_WAITS)).length;
    for (const give of [
      (id: string) => asAdmin.users.grant.mutate({ ...operation(), userId: person.id, buildingId: id }),
      (id: string) =>
        asAdmin.users.setAccess.mutate({
          ...operation(),
          userId: person.id,
          buildingIds: [id],
          granted: true,
        }),
    ]) {
      const leaving = await createBuilding(server.services);
      // A building with dependent records is archived instead of deleted.
      const issue = { id: uuidv7(), buildingId: leaving.id, title: 'Stays' };
      await asAdmin.issues.create.mutate({ ...operation(), ...issue });
      const given = await db.transaction(async (tx) => {
        await tx.select().from(profiles).where(eq(profiles.id, person.id)).for('update');
        const giving = refusalOf(give(leaving.id));
        await vi.waitFor(async () => expect(await waiting()).toBe(1), PATIENCE);
        await asAdmin.locations.removeBuilding.mutate({ ...operation(), id: leaving.id });
        return { giving };
      });
      expect(await given.giving).toEqual({ code: 'not_found' });
    }
  });

  test('decides which buildings, clients and floors a person is shown', async () => {
    const { services } = server;
    const client = await createClient(services, { name: 'Zeta Estates' });
    const mine = await createBuilding(services, { clientId: client.id, name: 'beta House' });
    const alsoMine = await createBuilding(services, { clientId: client.id, name: 'Alpha House' });
    const archived = await createBuilding(services, {
      clientId: client.id,
      archivedAt: new Date().toISOString(),
    });
    const person = await createPerson(services, {
      role: 'manager',
      buildings: [mine.id, alsoMine.id, archived.id],
    });
    const theirs = await clientOf(person);
    expect((await theirs.locations.mine.query()).data).toEqual([
      { id: alsoMine.id, name: 'Alpha House', clientName: 'Zeta Estates' },
      { id: mine.id, name: 'beta House', clientName: 'Zeta Estates' },
    ]);
    expect((await theirs.session.me.query()).data.buildings).toEqual([mine.id, alsoMine.id].sort());
    expect((await theirs.locations.listClients.query({})).data.rows.map(({ name }) => name)).toEqual([
      'Zeta Estates',
    ]);
    const all = await theirs.locations.listBuildings.query({});
    expect(all.data.rows.map(({ id }) => id)).toEqual([alsoMine.id, mine.id]);
    const others = await theirs.locations.listBuildings.query({ clientId: building.clientId });
    expect(others.data.rows).toEqual([]);
    const everything = (await asAdmin.locations.mine.query()).data.map(({ id }) => id);
    expect(everything).toEqual(expect.arrayContaining([mine.id, alsoMine.id, building.id]));
    expect(everything).not.toContain(archived.id);
  });
});
