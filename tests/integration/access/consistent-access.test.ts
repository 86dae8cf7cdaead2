import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profiles } from '#db/schema/people.ts';
import { type Actor, rightsOf } from '#server/access/actor.ts';
import { readApiKeyActor } from '#server/access/api-keys.ts';
import { withConsistentAccess } from '#server/kernel/consistent-access.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createApiKey } from '#tests/support/rows/api-keys.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let asAdmin: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  const admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function contextOf(userId: string, role: Actor['role']): Promise<SignedInContext> {
  const actor: Actor = {
    userId,
    email: 'somebody@example.com',
    firstName: 'Some',
    lastName: 'Body',
    ...rightsOf(userId, role),
    accessVersion: 1,
    sessionId: 'none',
    sessionExpiresAt: new Date().toISOString(),
  };
  return {
    services: server.services,
    actor,
    requestId: 'test',
    address: '127.0.0.1',
    userAgent: 'test',
    setCookie: () => {},
  };
}

test('live/J1 a query during a role change is answered with the new role only', async () => {
  const person = await createPerson(server.services, { role: 'manager' });
  const asked: Actor['role'][] = [];
  const answer = await withConsistentAccess(await contextOf(person.id, 'manager'), async ({ actor }) => {
    asked.push(actor.role);
    if (asked.length === 1) {
      await asAdmin.users.setRole.mutate({ operationId: uuidv7(), userId: person.id, role: 'viewer' });
    }
    return actor.role;
  });
  expect(asked).toEqual(['manager', 'viewer']);
  expect(answer).toBe('viewer');
});

test('a query runs once if the access does not change', async () => {
  const person = await createPerson(server.services, { role: 'manager' });
  let asked = 0;
  await withConsistentAccess(await contextOf(person.id, 'manager'), async () => {
    asked += 1;
  });
  expect(asked).toBe(1);
});

test('a query whose access keeps changing is refused as busy, not answered wrongly', async () => {
  const person = await createPerson(server.services, { role: 'manager' });
  let turn = 0;
  const answer = withConsistentAccess(await contextOf(person.id, 'manager'), async () => {
    turn += 1;
    const role = turn % 2 === 0 ? 'manager' : 'viewer';
    await asAdmin.users.setRole.mutate({ operationId: uuidv7(), userId: person.id, role });
  });
  await expect(answer).rejects.toMatchObject({ code: 'busy' });
});

test('a query by a key is asked again with the key’s access, not with its maker’s', async () => {
  const building = await createBuilding(server.services);
  const { key } = await createApiKey(asAdmin, { permissions: ['view_assets'], buildingIds: [building.id] });
  const reread = () => readApiKeyActor(server.services.db, key, server.services.clock.now());
  const actor = await reread();
  if (actor === undefined) throw new Error('the key is refused');
  const asked: Pick<Actor, 'permissions' | 'sight' | 'viewerId'>[] = [];
  const ctx = { ...(await contextOf(actor.userId, 'admin')), actor, reread };
  await withConsistentAccess(ctx, async ({ actor: { permissions, sight, viewerId } }) => {
    asked.push({ permissions, sight, viewerId });
    if (asked.length > 1) return;
    await server.services.db
      .update(profiles)
      .set({ version: actor.accessVersion + 1 })
      .where(eq(profiles.id, actor.userId));
  });
  const narrow = { permissions: ['view_assets'], sight: 'given_to_key', viewerId: actor.apiKey?.id };
  expect(asked).toEqual([narrow, narrow]);
});
