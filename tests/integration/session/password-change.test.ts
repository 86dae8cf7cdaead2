import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { profiles, sessions } from '#db/schema/people.ts';
import { resetPassword } from '#server/boot/operator.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, signedIn, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const GOOD = 'a-password-of-my-own';

let database: TestDatabase;
let server: TestServer;
let verify: TestServer['services']['passwords']['verify'];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  ({ verify } = server.services.passwords);
});
afterEach(() => {
  server.services.passwords.verify = verify;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const newPerson = () => createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
const sessionsOf = (person: TestPerson) =>
  server.services.db.select().from(sessions).where(eq(sessions.userId, person.id));

/** Runs work after the password has been verified and before the result is used. */
function afterVerifying(work: () => Promise<void>): void {
  server.services.passwords.verify = async (...args) => {
    const right = await verify(...args);
    await work();
    return right;
  };
}

describe('a sign-in that is under way', () => {
  test.each([
    ['a link to a new password is followed', followLink],
    [
      'the operator sets another password',
      (person: TestPerson) => resetPassword(server.services, person.id, GOOD),
    ],
  ])('while %s leaves no session of the old password behind', async (_name, change) => {
    const person = await newPerson();
    afterVerifying(() => change(person));
    const signIn = createTestClient(server.url).session.signIn.mutate({
      email: person.email,
      password: TEST_PASSWORD,
    });
    expect(await refusalOf(signIn)).toMatchObject({
      code: 'unauthenticated',
      message: messages.session.wrongCredentials,
    });
    // One session if following the link began it, otherwise none.
    expect(await sessionsOf(person)).toHaveLength(change === followLink ? 1 : 0);
  });

  test('while the account is shut and opened again leaves no session behind', async () => {
    const person = await newPerson();
    const { db } = server.services;
    const set = (deactivatedAt: string | null) =>
      db.update(profiles).set({ deactivatedAt }).where(eq(profiles.id, person.id));
    afterVerifying(async () => void (await set(new Date().toISOString())));
    const signIn = createTestClient(server.url).session.signIn.mutate({
      email: person.email,
      password: TEST_PASSWORD,
    });
    expect((await refusalOf(signIn)).code).toBe('unauthenticated');
    await set(null);
    expect(await sessionsOf(person)).toEqual([]);
  });

  test('of many at once, with a reset in the midst of them: none outlives it', async () => {
    const person = await newPerson();
    const visitor = createTestClient(server.url);
    const tries = Array.from({ length: 4 }, () =>
      visitor.session.signIn.mutate({ email: person.email, password: TEST_PASSWORD }),
    );
    await Promise.all([followLink(person), Promise.allSettled(tries)]);
    expect(await sessionsOf(person)).toHaveLength(1);
  });
});

test('a change of one’s own password that a reset overtakes changes nothing', async () => {
  const person = await newPerson();
  const client = createTestClient(server.url, await signInAs(server, person));
  afterVerifying(async () => void (await followLink(person)));
  const late = client.session.changePassword.mutate({
    current: TEST_PASSWORD,
    password: 'the-late-one-of-two',
  });
  expect(await refusalOf(late)).toEqual({
    code: 'invalid',
    fields: { current: accountMessages.currentWrong },
  });
  server.services.passwords.verify = verify;
  const visitor = createTestClient(server.url);
  const { me } = await signedIn(visitor.session.signIn.mutate({ email: person.email, password: GOOD }));
  expect(me.id).toBe(person.id);
});

test('a link that is followed many times at once leaves places to others', async () => {
  const token = await linkOf(await newPerson());
  const visitor = createTestClient(server.url, undefined, { batch: true });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      visitor.session.followLink.mutate({ token, password: GOOD }).then(
        () => 'followed',
        (error: { data: { app: { code: string } } }) => error.data.app.code,
      ),
    ),
  );
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  expect(count('followed')).toBe(1);
  expect(count('rate_limited')).toBeGreaterThan(0);
  expect(count('rate_limited') + count('not_found')).toBe(19);
});

async function followLink(person: TestPerson): Promise<void> {
  const token = await linkOf(person);
  await createTestClient(server.url).session.followLink.mutate({ token, password: GOOD });
}

async function linkOf(person: TestPerson): Promise<string> {
  const admin = await createPerson(server.services, { role: 'admin' });
  const asAdmin: TestClient = createTestClient(server.url, await signInAs(server, admin));
  const made = await asAdmin.users.makeLink.mutate({ operationId: uuidv7(), userId: person.id });
  return made.token ?? '';
}
