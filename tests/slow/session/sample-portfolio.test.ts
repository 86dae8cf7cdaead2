import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { profiles } from '#db/schema/people.ts';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { firstRun } from '#server/boot/first-run.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createTestClient, refusalOf } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

/** Two months of history are created by the real commands: a second or two, longer on a busy machine. */
const SAMPLE_WITHIN_MS = 120_000;

let database: TestDatabase;
let server: TestServer;

beforeEach(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
});
afterEach(async () => {
  await server.stop();
  await database.drop();
});

describe('an empty installation', () => {
  test(
    'that others can reach gets sample accounts with a password of their own',
    async () => {
      const publicUrl = 'https://lintel.example.com';
      const open = await startTestServer(database, { env: { publicUrl, sampleData: true } });
      const lines = (await firstRun(open.services, publicUrl)).join('\n');
      expect(lines).toContain('admin@example.com');
      expect(lines).not.toContain('lintel-demo');
      await open.stop();
      await (await startTestServer(database, { env: { publicUrl } })).stop();
    },
    SAMPLE_WITHIN_MS,
  );
});

describe('the sample portfolio', () => {
  test(
    'is made whole or not at all: interrupted, it can be started again with the same link',
    async () => {
      const { services, url } = server;
      const code = await makeSetupCode(services.db, new Date().toISOString());
      const visitor = createTestClient(url);
      const begun = refusalOf(visitor.session.setup.mutate({ start: 'sample', code }));
      // Sequences advance outside transactions, so this value shows that issues are already being created.
      const [number] = await services.db.execute<{ name: string }>(
        sql`select pg_get_serial_sequence('outbox', 'id') as name`,
      );
      await expect
        .poll(
          async () => {
            const rows = await services.db.execute<{ n: string }>(
              sql`select coalesce(pg_sequence_last_value(${number?.name}::regclass), 0)::text as n`,
            );
            return Number(rows[0]?.n);
          },
          { ...PATIENCE, interval: 5 },
        )
        .toBeGreaterThan(80);
      await services.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and xact_start < clock_timestamp() - interval '50 milliseconds'`,
      );
      expect((await begun).code).toBe('busy');
      expect(await services.db.select().from(profiles)).toEqual([]);
      const again = await visitor.session.setup.mutate({ start: 'sample', code });
      expect(again.started).toBe('sample');
    },
    SAMPLE_WITHIN_MS,
  );

  test(
    'is made once where two processes start together on one empty database',
    async () => {
      const services = { ...server.services, env: { ...server.services.env, sampleData: true } };
      const said = await Promise.all([1, 2].map(() => firstRun(services, server.url)));
      expect(said.filter((lines) => lines.some((line) => line.includes('admin@example.com')))).toHaveLength(
        1,
      );
      const [row] = await services.db.execute<{ n: number }>(
        sql`select count(*)::int n from profiles where email = 'admin@example.com'`,
      );
      expect(row?.n).toBe(1);
    },
    SAMPLE_WITHIN_MS,
  );
});
