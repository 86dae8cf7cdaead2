import { afterAll, beforeAll, expect, test } from 'vitest';
import { pulseState } from '#db/schema/pulse.ts';
import { DAY_MS } from '#shared/dates.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { change, createWorld, expectTrue } from '#tests/support/pulse/pulse-world.ts';
import { seedOf } from '#tests/support/random.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A thousand random changes, for each of several seeds.

const SEEDS = ['one', 'two'].map(seedOf);
const CHANGES = 1_000;
const EACH = 50;
/** A quick machine makes more changes in a second than one person may. */
const NO_LIMIT = { burst: 1e9, perSecond: 1e9 };

let database: TestDatabase;
let server: TestServer;
const clock = testClock('2026-03-20T10:00:00.000Z');

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, {
    clock,
    timedJobs: { lookEveryMs: DAY_MS },
    limits: { person: NO_LIMIT, anonymous: NO_LIMIT },
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

test.each(SEEDS)('a thousand changes, and the figures are those of the rows (%s)', async (seed) => {
  const world = await createWorld(server, clock, seed);
  for (let n = 0; n < CHANGES; n += EACH) {
    await change(world, EACH);
    await expectTrue(world);
  }
  // The job at midnight has not found a difference either.
  expect(await server.services.db.select().from(pulseState)).toMatchObject([{ differed: 0 }]);
  expect(server.logged.filter((line) => line.includes('differed'))).toEqual([]);
});
