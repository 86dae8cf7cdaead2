import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appliedOperations } from '#db/schema/live.ts';
import { attempts, sessions } from '#db/schema/people.ts';
import { lifetimeOf } from '#server/access/session-lifetime.ts';
import { DAY_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson } from '#tests/support/rows/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { sweepEveryMs: 50, timedJobs: { lookEveryMs: 50 } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

test('live/S5 answers to operations go after 180 days, with what else has expired', async () => {
  const { db, sessions: store } = server.services;
  const person = await createPerson(server.services, { role: 'viewer' });
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const [young, old] = [uuidv7(), uuidv7()];
  const operation = { userId: person.id, procedure: 'issues.update', inputHash: '', result: '{}' };
  await db.insert(appliedOperations).values([
    { ...operation, id: young, createdAt: daysAgo(179) },
    { ...operation, id: old, createdAt: daysAgo(181) },
  ]);
  const from = (userAgent: string) => ({ userAgent, address: '127.0.0.1' });
  await db.insert(attempts).values({ key: 'address:test', windowStart: daysAgo(1), count: 3 });
  const ended = await store.create(person.id, from('ended'), lifetimeOf('viewer'));
  // The row is made with a later expiry and then expired, because a sweep could remove it before its token is stored.
  await db
    .update(sessions)
    .set({ expiresAt: daysAgo(1) })
    .where(eq(sessions.id, ended.id));
  const { id } = await store.create(person.id, from('good'), lifetimeOf('viewer'));

  const left = async () => ({
    operations: (await db.select().from(appliedOperations)).map((row) => row.id),
    attempts: await db.select().from(attempts),
    sessions: (await db.select().from(sessions)).map((row) => row.id),
  });
  await expect.poll(left).toEqual({ operations: [young], attempts: [], sessions: [id] });
});
