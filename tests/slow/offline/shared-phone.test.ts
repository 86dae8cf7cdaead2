import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessions } from '#db/schema/people.ts';
import { CHECK_KINDS } from '#shared/features/checks/kinds.vocabulary.ts';
import { runSendQueueChaos } from '#tests/chaos/run-send-queue.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { seedOf } from '#tests/support/random.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The send queue of web/offline against the real server. `npm run chaos` does the same with 1,000 submissions.

/** Enough for a run of a few seconds. */
const SUBMISSIONS = 40;

let database: TestDatabase;
let server: TestServer;
let sql: Sql;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const limit = { burst: 1e9, perSecond: 1e9 };
  dataDir = await mkdtemp(join(tmpdir(), 'lintel-offline-'));
  server = await startTestServer(database, {
    env: { dataDir, optionalChecks: [...CHECK_KINDS] },
    limits: { person: limit, anonymous: limit },
  });
  sql = postgres(database.ownerUrl, { max: 2 });
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('whatever happens to a shared phone, each submission arrives exactly once, in the name of its owner', async () => {
  const seed = seedOf('shared phone');
  const buildings = [await createBuilding(server.services), await createBuilding(server.services)];
  const people = await Promise.all(
    ['manager', 'manager'].map((role) =>
      createPerson(server.services, { role, buildings: buildings.map(({ id }) => id) }),
    ),
  );
  const report = await runSendQueueChaos({
    serverUrl: () => server.url,
    sql,
    seed,
    submissions: SUBMISSIONS,
    log: (line) => console.log(`offline, seed ${seed}: ${line}`),
    people: people.map(({ id }) => id),
    buildings: buildings.map(({ id }) => id),
    signIn: (id) => signInAs(server, { id, role: 'manager' }),
    endSessions: async (id) =>
      void (await server.services.db.delete(sessions).where(eq(sessions.userId, id))),
  });
  expect(report.problems, `seed ${seed}`).toEqual([]);
  expect(report.submissions).toBe(SUBMISSIONS);
  // Without faults the run would prove nothing.
  expect(report.faults['dropped'] ?? 0).toBeGreaterThan(5);
  // Longer than the standstill after which the phone counts as stuck, so that its report is what fails.
}, 180_000);
