import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { profiles, sessions, setupCodes } from '#db/schema/people.ts';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { firstRun } from '#server/boot/first-run.ts';
import { createAdministrator, promote, resetPassword } from '#server/boot/operator.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, signedIn } from '#tests/support/server/client.ts';
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
    'prints a link that the sample portfolio can be started with, once and for this machine only',
    async () => {
      const lines = await firstRun(server.services, 'http://127.0.0.1:3000');
      const code = /\/setup\?code=([\w-]{43})$/m.exec(lines.join('\n'))?.[1] ?? '';
      const visitor = createTestClient(server.url);
      const started = await visitor.session.setup.mutate({ start: 'sample', code });
      if (started.started !== 'sample') throw new Error('something else was started');
      expect(started.password).toBe('lintel-demo');
      for (const { email, role } of started.accounts) {
        const { me } = await signedIn(visitor.session.signIn.mutate({ email, password: started.password }));
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
    const { me } = await signedIn(
      createTestClient(url).session.signIn.mutate({
        email: person.email,
        password: TEST_PASSWORD,
      }),
    );
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
