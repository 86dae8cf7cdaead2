import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { createAdministrator, resetPassword } from '#server/boot/operator.ts';
import type { AppError } from '#shared/errors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { WEAK_ORGANISATION, WEAK_PASSWORDS, WEAK_PERSON } from '#tests/support/hostile/weak-passwords.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, signedIn, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Weak passwords, for every way to set a password: each is refused with its message at the field.

const FOUR_SIGNS = ['🦊🐙🦑🐡', messages.session.passwordMinimum(8)] as const;
const TOO_SHORT = ['seven77', messages.session.passwordMinimum(8)] as const;
const TOO_LONG = ['kettle lamp '.repeat(22), messages.session.passwordTooLong(256)] as const;
const EMPTY = ['', messages.session.passwordMinimum(8)] as const;
// Longer than 64 characters.
const GOOD = 'The password of my own is a whole sentence, and is kept by the manager of my browser.';

let database: TestDatabase;
let server: TestServer;
let asAdmin: TestClient;
let visitor: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  visitor = createTestClient(server.url);
  await server.services.db.update(settings).set({ organisationName: WEAK_ORGANISATION });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const ofWeakPerson = (email: string) => ({ ...WEAK_PERSON, email });
let made = 0;
/** Returns a new address for each person; its weak part stays the same. */
const nextEmail = () => WEAK_PERSON.email.replace('@', `${made++}@`);

async function everyWeakOneIsRefused(choose: (password: string) => Promise<unknown>): Promise<void> {
  for (const [password, sentence] of [TOO_SHORT, EMPTY, FOUR_SIGNS, ...WEAK_PASSWORDS]) {
    const refusal = await refusalOf(choose(password));
    expect({ password, ...refusal }).toEqual({ password, code: 'invalid', fields: { password: sentence } });
  }
}

/** For commands at the terminal, which throw the error directly instead of sending it over the wire. */
async function everyWeakOneIsThrown(choose: (password: string) => Promise<unknown>): Promise<void> {
  for (const [password, sentence] of [TOO_SHORT, TOO_LONG, ...WEAK_PASSWORDS]) {
    const error = await choose(password).catch((thrown: AppError<'invalid'>) => thrown);
    expect({ password, data: (error as AppError<'invalid'>).data }).toEqual({
      password,
      data: { fields: { password: sentence } },
    });
  }
}

test('for the first person of an empty installation', async () => {
  const code = await makeSetupCode(server.services.db, new Date().toISOString());
  const first = { ...ofWeakPerson(nextEmail()), start: 'empty', code } as const;
  await everyWeakOneIsRefused((password) => visitor.session.setup.mutate({ ...first, password }));
  expect(await server.services.db.select().from(profiles)).toEqual([]);
});

test('for an administrator made at the terminal, and for another password there', async () => {
  const person = ofWeakPerson(nextEmail());
  await everyWeakOneIsThrown((password) => createAdministrator(server.services, { ...person, password }));
  const known = await weakPerson();
  await everyWeakOneIsThrown((password) => resetPassword(server.services, known.id, password));
});

test('for an invited person, whose link stays valid', async () => {
  const admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
  const invitation = { ...ofWeakPerson(nextEmail()), ...operation(), id: uuidv7() };
  const { token = '' } = await asAdmin.users.invite.mutate({
    ...invitation,
    role: 'manager',
    buildingIds: [],
  });
  await everyWeakOneIsRefused((password) => visitor.session.followLink.mutate({ token, password }));
  expect((await signedIn(visitor.session.followLink.mutate({ token, password: GOOD }))).me.id).toBe(
    invitation.id,
  );
});

test('behind a link to a new password', async () => {
  const { id: userId } = await weakPerson();
  const { token = '' } = await asAdmin.users.makeLink.mutate({ ...operation(), userId });
  await everyWeakOneIsRefused((password) => visitor.session.followLink.mutate({ token, password }));
});

test('for a change of one’s own, which does not count as a wrong present password', async () => {
  const own = createTestClient(server.url, await signInAs(server, await weakPerson()));
  const current = TEST_PASSWORD;
  await everyWeakOneIsRefused((password) => own.session.changePassword.mutate({ current, password }));
  await own.session.changePassword.mutate({ current, password: GOOD });
});

test('is the same however a keyboard writes it', async () => {
  const person = await weakPerson();
  const own = createTestClient(server.url, await signInAs(server, person));
  const password = 'Zürich café … on 2 feet';
  await own.session.changePassword.mutate({ current: TEST_PASSWORD, password: password.normalize('NFC') });
  const signIn = (typed: string) => visitor.session.signIn.mutate({ email: person.email, password: typed });
  for (const typed of [password.normalize('NFD'), password.replace('…', '...'), password]) {
    expect((await signedIn(signIn(typed))).me.id).toBe(person.id);
  }
  const refusal = await refusalOf(signIn(password.replace('ü', 'u')));
  expect(refusal).toMatchObject({ code: 'unauthenticated' });
});

function weakPerson(): Promise<TestPerson> {
  const values = { role: 'manager', password: TEST_PASSWORD } as const;
  return createPerson(server.services, { ...values, ...ofWeakPerson(nextEmail()) });
}
