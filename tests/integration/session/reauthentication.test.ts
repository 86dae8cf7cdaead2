import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { credentials, sessions } from '#db/schema/people.ts';
import { RECENT_MS } from '#server/kernel/sign-in/recent-authentication.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { codeOf } from '#tests/support/sign-in/authenticator-app.ts';

const OTHER_PASSWORD = 'a-password-of-my-own';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Sets the age of the last authentication in every session of a person; null: not known. */
async function age(person: TestPerson, ms: number | null): Promise<void> {
  const authenticatedAt = ms === null ? null : new Date(Date.now() - ms).toISOString();
  const { db } = server.services;
  await db.update(sessions).set({ authenticatedAt }).where(eq(sessions.userId, person.id));
}

/** An administrator who signed in an hour ago. */
async function administrator() {
  const person = await createPerson(server.services, { role: 'admin', password: TEST_PASSWORD });
  const cookie = await signInAs(server, person);
  await age(person, 60 * 60_000);
  return { person, cookie, client: createTestClient(server.url, cookie) };
}

/** Stores another password directly in the database. */
async function changePassword({ id }: TestPerson): Promise<void> {
  const passwordHash = await server.services.passwords.hash(OTHER_PASSWORD);
  await server.services.db.update(credentials).set({ passwordHash }).where(eq(credentials.userId, id));
}

/** Changes the password of a session. @returns the cookie with its new token */
async function changePasswordOf(cookie: string, input: object): Promise<string> {
  const response = await fetch(`${server.url}/trpc/session.changePassword`, {
    method: 'POST',
    headers: { ...headersFor(server.url, cookie), 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
}

/** The input of a sensitive command that deactivates somebody. */
async function deactivation() {
  const { id } = await createPerson(server.services, { role: 'viewer' });
  return { operationId: uuidv7(), userId: id, active: false };
}

describe('a sensitive command', () => {
  test('is carried out once the password has been entered again, under the same operation id', async () => {
    const { client } = await administrator();
    const input = await deactivation();
    expect(await refusalOf(client.users.setActive.mutate(input))).toMatchObject({
      code: 'reauthentication_required',
    });
    expect(await client.session.reauthenticationOptions.query()).toEqual({
      ...{ password: true, hasPassword: true, code: false, passkeyHosts: [] },
      providers: [],
    });
    await client.session.reauthenticate.mutate({ password: TEST_PASSWORD });
    const done = await client.users.setActive.mutate(input);
    expect(await client.users.setActive.mutate(input)).toEqual(done);
  });

  test.each([
    ['a moment before the time is over', RECENT_MS - 30_000, 'ok'],
    ['a moment after', RECENT_MS + 1_000, 'reauthentication_required'],
    ['when the time of the authentication is not known', null, 'reauthentication_required'],
    [
      'when it is in the future, from before the clock was set right',
      -10 * 60_000,
      'reauthentication_required',
    ],
  ])('%s', async (_when, ms, outcome) => {
    const { person, client } = await administrator();
    await age(person, ms);
    const call = client.users.setActive.mutate(await deactivation());
    if (outcome === 'ok') await call;
    else expect(await refusalOf(call)).toMatchObject({ code: outcome });
  });

  test('is carried out after a change of the password, which asks for the present one', async () => {
    const { client } = await administrator();
    const change = { current: TEST_PASSWORD, password: OTHER_PASSWORD };
    const response = await client.session.changePassword.mutate(change).then(
      () => 'ok',
      () => 'refused',
    );
    expect(response).toBe('ok');
    await client.users.setActive.mutate(await deactivation());
  });

  test('still asks in the other sessions of the person', async () => {
    const { person, client } = await administrator();
    const other = createTestClient(server.url, await signInAs(server, person));
    await age(person, 60 * 60_000);
    await client.session.reauthenticate.mutate({ password: TEST_PASSWORD });
    expect(await refusalOf(other.users.setActive.mutate(await deactivation()))).toMatchObject({
      code: 'reauthentication_required',
    });
  });
});

describe('authenticating again', () => {
  test('refuses a wrong password at its field, and more than five of one session', async () => {
    const { person, client } = await administrator();
    const other = createTestClient(server.url, await signInAs(server, person));
    for (let n = 0; n < 5; n += 1) {
      expect(await refusalOf(client.session.reauthenticate.mutate({ password: `guess-${n}` }))).toMatchObject(
        {
          code: 'invalid',
          fields: { password: accountMessages.passwordWrong },
        },
      );
    }
    const right = { password: TEST_PASSWORD };
    expect(await refusalOf(client.session.reauthenticate.mutate(right))).toMatchObject({
      code: 'rate_limited',
    });
    // Failed attempts in this session do not lock the person out of another session.
    await other.session.reauthenticate.mutate(right);
    expect(await refusalOf(client.users.setActive.mutate(await deactivation()))).toMatchObject({
      code: 'reauthentication_required',
    });
  });

  test.each([
    ['has ended', (person: TestPerson) => server.services.sessions.endAllForUser(person.id)],
    ['whose password was changed meanwhile', changePassword],
  ])('does nothing for a session that %s', async (_what, meanwhile) => {
    const { person, client } = await administrator();
    const { passwords } = server.services;
    const { verify } = passwords;
    passwords.verify = async (...args) => {
      const isRight = await verify(...args);
      await meanwhile(person);
      return isRight;
    };
    const late = await refusalOf(client.session.reauthenticate.mutate({ password: TEST_PASSWORD })).finally(
      () => {
        passwords.verify = verify;
      },
    );
    expect(late).toMatchObject({ code: 'unauthenticated' });
  });

  test('without a password of their own, a person is offered none', async () => {
    const person = await createPerson(server.services, { role: 'admin' });
    const client = createTestClient(server.url, await signInAs(server, person));
    expect(await client.session.reauthenticationOptions.query()).toEqual({
      ...{ password: false, hasPassword: false, code: false, passkeyHosts: [] },
      providers: [],
    });
    expect(await refusalOf(client.session.reauthenticate.mutate({ password: TEST_PASSWORD }))).toMatchObject({
      code: 'invalid',
    });
  });
});

test('with a second factor, a code is asked for as well, and each code counts once', async () => {
  const { person, client, cookie } = await administrator();
  await client.session.reauthenticate.mutate({ password: TEST_PASSWORD });
  const { secret, enrolment } = await client.users.beginSecondFactor.mutate({ operationId: uuidv7() });
  const used = codeOf(secret, new Date());
  const { recoveryCodes: [recovery = ''] = [] } = await client.users.addSecondFactor.mutate({
    operationId: uuidv7(),
    ...{ enrolment, code: used },
  });
  expect((await client.session.reauthenticationOptions.query()).code).toBe(true);
  const password = TEST_PASSWORD;
  for (const code of [undefined, '', used, '000000']) {
    const again = client.session.reauthenticate.mutate({ password, ...(code !== undefined && { code }) });
    expect(await refusalOf(again)).toMatchObject({ code: 'invalid', fields: { code: expect.any(String) } });
  }
  // A change of the password, which needs no code, does not count as an authentication either.
  await age(person, 60 * 60_000);
  const change = { current: password, password: OTHER_PASSWORD };
  const cookies = await changePasswordOf(cookie, change);
  const changed = createTestClient(server.url, cookies);
  expect(await refusalOf(changed.users.removeSecondFactor.mutate({ operationId: uuidv7() }))).toMatchObject({
    code: 'reauthentication_required',
  });
  await changed.session.reauthenticate.mutate({ password: OTHER_PASSWORD, code: recovery });
  const twice = changed.session.reauthenticate.mutate({ password: OTHER_PASSWORD, code: recovery });
  expect((await refusalOf(twice)).code).toBe('invalid');
});

test('people are imported only after it; their file is checked before', async () => {
  const { client, cookie } = await administrator();
  const send = (path: string) =>
    fetch(`${server.url}/files/import/${path}`, {
      method: 'POST',
      headers: { ...headersFor(server.url, cookie), 'content-type': 'text/csv' },
      body: 'Email,First name,Last name,Role\nnew.person@example.com,New,Person,viewer\n',
    });
  const operationId = uuidv7();
  expect((await send('people/check')).status).toBe(200);
  for (const path of [`people/run?operationId=${operationId}`, `people/links?operationId=${uuidv7()}`]) {
    // A person sends one file at a time, and the server notices a little later that the last one has ended.
    await vi.waitFor(async () => {
      const refused = await send(path);
      expect(await refused.text()).toContain('reauthentication_required');
      expect(refused.status).toBe(403);
    }, PATIENCE);
  }
  await client.session.reauthenticate.mutate({ password: TEST_PASSWORD });
  await vi.waitFor(async () => {
    expect(await (await send(`people/run?operationId=${operationId}`)).text()).toContain('"count":1');
  }, PATIENCE);
});
