import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { profiles, sessions, setupCodes } from '#db/schema/people.ts';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { firstRun } from '#server/boot/first-run.ts';
import { createAdministrator, promote, resetPassword } from '#server/boot/operator.ts';
import { messages } from '#shared/messages.ts';
import { createTestClient, refusalOf } from '#tests/support/client.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createPerson, signInAs, TEST_PASSWORD } from '#tests/support/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server.ts';
import { rare, test } from '#tests/support/sweep.ts';

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
    'prints a link that the sample portfolio can be started with, once and for this machine only',
    async () => {
      const lines = await firstRun(server.services, 'http://127.0.0.1:3000');
      const code = /\/setup\?code=([\w-]{43})$/m.exec(lines.join('\n'))?.[1] ?? '';
      const visitor = createTestClient(server.url);
      const started = await visitor.session.setup.mutate({ start: 'sample', code });
      if (started.started !== 'sample') throw new Error('something else was started');
      expect(started.password).toBe('lintel-demo');
      for (const { email, role } of started.accounts) {
        const { me } = await visitor.session.signIn.mutate({ email, password: started.password });
        expect(me).toMatchObject({ role, setupMode: false });
      }
      const again = await refusalOf(visitor.session.setup.mutate({ start: 'sample', code }));
      expect(again).toEqual({ code: 'forbidden', message: messages.session.setupDone });
      expect(await server.services.db.select().from(setupCodes)).toEqual([]);
      expect(await firstRun(server.services, 'http://127.0.0.1:3000')).toEqual([]);

      // The demo password is public, so no other machine may connect.
      for (const env of [{ host: '0.0.0.0' }, { publicUrl: 'https://lintel.example.com' }]) {
        await expect(startTestServer(database, { env })).rejects.toThrow('on this machine only');
      }
      await (await startTestServer(database)).stop();
    },
    SAMPLE_WITHIN_MS,
  );

  rare(
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
  rare(
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
          { timeout: SAMPLE_WITHIN_MS, interval: 5 },
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

  rare(
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

describe('at the terminal', () => {
  test('an administrator is made, which ends Setup Mode and is recorded', async () => {
    const { services, url } = server;
    await makeSetupCode(services.db, new Date().toISOString());
    const person = { email: 'op@example.com', firstName: 'Op', lastName: 'Erator', password: TEST_PASSWORD };
    await expect(createAdministrator(services, { ...person, password: 'password1' })).rejects.toThrow(
      'invalid',
    );
    await createAdministrator(services, person);
    const { me } = await createTestClient(url).session.signIn.mutate({
      email: person.email,
      password: TEST_PASSWORD,
    });
    expect(me).toMatchObject({ role: 'admin', buildings: 'all', setupMode: false });
    expect(await services.db.select().from(setupCodes)).toEqual([]);
    const told = await services.db.execute<{ command: string }>(
      sql`select command from outbox where entity = 'person' union select command from events where entity = 'person'`,
    );
    expect(told.map(({ command }) => command)).toEqual(['admin.create']);
  });

  test('a person who was deactivated is let in again as an administrator', async () => {
    const { services } = server;
    const person = await createPerson(services, {
      role: 'viewer',
      deactivatedAt: new Date().toISOString(),
    });
    await promote(services, person.id);
    const me = await createTestClient(server.url, await signInAs(server, person)).session.me.query();
    expect(me.data).toMatchObject({ role: 'admin', accessVersion: 2 });
  });

  test('another password ends every session of that person', async () => {
    const { services, url } = server;
    const person = await createPerson(services, { role: 'manager', password: TEST_PASSWORD });
    const cookie = await signInAs(server, person);
    await resetPassword(services, person.id, 'quite-another-phrase');
    expect((await refusalOf(createTestClient(url, cookie).session.me.query())).code).toBe('unauthenticated');
    expect(await services.db.select().from(sessions).where(eq(sessions.userId, person.id))).toEqual([]);
    const visitor = createTestClient(url);
    const old = await refusalOf(
      visitor.session.signIn.mutate({ email: person.email, password: TEST_PASSWORD }),
    );
    expect(old.code).toBe('unauthenticated');
    await visitor.session.signIn.mutate({ email: person.email, password: 'quite-another-phrase' });
    expect(await services.db.select().from(profiles)).toHaveLength(1);
  });
});
