import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { profiles } from '#db/schema/people.ts';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { smtpMail } from '#server/adapters/mail/smtp.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  TEST_PASSWORD,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, signedIn, type TestClient } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const DAY_MS = 86_400_000;
const GOOD = 'a-password-of-my-own';

let database: TestDatabase;
let server: TestServer;
let clock: TestClock;
let admin: TestPerson;
let asAdmin: TestClient;
let visitor: TestClient;
let building: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock();
  server = await startTestServer(database, { clock });
  building = await createBuilding(server.services);
  admin = await createPerson(server.services, { role: 'admin' });
  asAdmin = await clientOf(admin);
  visitor = createTestClient(server.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function clientOf(person: TestPerson): Promise<TestClient> {
  return createTestClient(server.url, await signInAs(server, person));
}

const operation = () => ({ operationId: uuidv7() });

function invitation(values: { email?: string; role?: 'admin' | 'manager' } = {}) {
  const id = uuidv7();
  return {
    ...operation(),
    id,
    email: values.email ?? `${id}@example.com`,
    firstName: 'Ines',
    lastName: 'Invited',
    role: values.role ?? ('manager' as const),
    buildingIds: [building.id],
  };
}

/** Returns the token of a one-time link, which an administrator sees when no mail is configured. */
function secretOf({ token }: { token?: string }): string {
  if (token === undefined) throw new Error('the answer holds no link');
  return token;
}

async function invited(values: Parameters<typeof invitation>[0] = {}) {
  const input = invitation(values);
  return { ...input, token: secretOf(await asAdmin.users.invite.mutate(input)) };
}

async function linkFor(userId: string) {
  const made = await asAdmin.users.makeLink.mutate({ ...operation(), userId });
  return { ...made, token: secretOf(made) };
}

describe('an invitation', () => {
  test('makes a person who cannot sign in until they have chosen a password behind the link', async () => {
    const details = invitation();
    const made = await asAdmin.users.invite.mutate(details);
    expect(made).toMatchObject({ id: details.id, kind: 'invite', mailed: 'none' });
    const input = { ...details, token: secretOf(made) };
    const signIn = { email: input.email, password: GOOD };
    expect((await refusalOf(visitor.session.signIn.mutate(signIn))).code).toBe('unauthenticated');
    expect(await visitor.session.link.mutate({ token: input.token })).toEqual({
      kind: 'invite',
      email: input.email,
      firstName: 'Ines',
      passwordMinLength: 8,
      byProviderOnly: false,
    });
    const { me } = await signedIn(visitor.session.followLink.mutate({ token: input.token, password: GOOD }));
    expect(me).toMatchObject({ id: input.id, role: 'manager', buildings: [building.id] });
    expect((await signedIn(visitor.session.signIn.mutate(signIn))).me.id).toBe(input.id);
    const listed = (await asAdmin.users.list.query()).data.find(({ id }) => id === input.id);
    expect(listed).toMatchObject({ invitedAt: null, role: 'manager' });
  });

  test('opens once: of ten at the same moment one gets in', async () => {
    const input = await invited();
    const follow = () => visitor.session.followLink.mutate({ token: input.token, password: GOOD });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, follow));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(follow())).toEqual({ code: 'not_found', message: accountMessages.linkInvalid });
  });

  test('runs out after seven days', async () => {
    const input = await invited();
    clock.advance(7 * DAY_MS - 1_000);
    expect((await visitor.session.link.mutate({ token: input.token })).kind).toBe('invite');
    clock.advance(2_000);
    expect((await refusalOf(visitor.session.link.mutate({ token: input.token }))).code).toBe('not_found');
    const late = visitor.session.followLink.mutate({ token: input.token, password: GOOD });
    expect((await refusalOf(late)).code).toBe('not_found');
  });

  test('is not used up by a password that is not good enough', async () => {
    const input = await invited();
    for (const [password, sentence] of [
      ['seven77', messages.session.passwordMinimum(8)],
      ['password1', messages.session.passwordCommon],
    ] as const) {
      const refusal = await refusalOf(visitor.session.followLink.mutate({ token: input.token, password }));
      expect(refusal).toEqual({ code: 'invalid', fields: { password: sentence } });
    }
    const { me } = await signedIn(visitor.session.followLink.mutate({ token: input.token, password: GOOD }));
    expect(me.id).toBe(input.id);
  });

  test('is worth nothing once another one is made, or the person is deactivated', async () => {
    const input = await invited();
    const { token, ...again } = await linkFor(input.id);
    expect(again.kind).toBe('invite');
    expect((await refusalOf(visitor.session.link.mutate({ token: input.token }))).code).toBe('not_found');
    await asAdmin.users.setActive.mutate({ ...operation(), userId: input.id, active: false });
    expect((await refusalOf(visitor.session.link.mutate({ token }))).code).toBe('not_found');
    const another = { ...operation(), userId: input.id };
    expect(await refusalOf(asAdmin.users.makeLink.mutate(another))).toEqual({
      code: 'forbidden',
      message: userMessages.inactive,
    });
  });

  test('leaves its secret nowhere in the database, and a second copy of the call has none', async () => {
    const input = invitation();
    const copies = await Promise.all([
      asAdmin.users.invite.mutate(input),
      asAdmin.users.invite.mutate(input),
    ]);
    copies.push(await asAdmin.users.invite.mutate(input));
    expect(copies.map(({ mailed }) => mailed).sort()).toEqual(['none', 'unknown', 'unknown']);
    const [token = '', ...more] = copies.flatMap((copy) => copy.token ?? []);
    expect(more).toEqual([]);
    expect((await visitor.session.link.mutate({ token })).email).toBe(input.email);
    for (const table of ['applied_operations', 'account_links', 'outbox', 'events', 'event_payloads']) {
      const rows = await server.services.db.execute(
        sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t`,
      );
      expect(JSON.stringify(rows)).not.toContain(token);
    }
  });

  test('is refused with a secret of the caller’s own', async () => {
    const chosen = { ...invitation(), token: 'a'.repeat(43) };
    expect((await refusalOf(asAdmin.users.invite.mutate(chosen))).code).toBe('invalid');
  });

  test('refuses an address that a person has, however it is written, also at the same moment', async () => {
    const email = `${uuidv7()}@example.com`;
    const inputs = [invitation({ email }), invitation({ email: email.toUpperCase() })];
    const outcomes = await Promise.allSettled(inputs.map((input) => asAdmin.users.invite.mutate(input)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusalOf(asAdmin.users.invite.mutate(invitation({ email })))).toEqual({
      code: 'invalid',
      fields: { email: userMessages.emailTaken },
    });
  });

  test('of an administrator does not count as one: the last who can sign in stays', async () => {
    const other = await createTestDatabase();
    const alone = await startTestServer(other);
    const last = await createPerson(alone.services, { role: 'admin' });
    const client = createTestClient(alone.url, await signInAs(alone, last));
    await client.users.invite.mutate({ ...invitation({ role: 'admin' }), buildingIds: [] });
    const stepDown = client.users.setRole.mutate({ ...operation(), userId: last.id, role: 'viewer' });
    expect((await refusalOf(stepDown)).message).toBe(userMessages.lastAdmin);
    await alone.stop();
    await other.drop();
  });
});

describe('a link to a new password', () => {
  test('ends every session of the person and signs in with the new one alone', async () => {
    const person = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    const before = await clientOf(person);
    const { token, ...made } = await linkFor(person.id);
    expect(made.kind).toBe('reset');
    await visitor.session.followLink.mutate({ token, password: GOOD });
    expect((await refusalOf(before.session.me.query())).code).toBe('unauthenticated');
    const old = visitor.session.signIn.mutate({ email: person.email, password: TEST_PASSWORD });
    expect((await refusalOf(old)).code).toBe('unauthenticated');
    const { me } = await signedIn(visitor.session.signIn.mutate({ email: person.email, password: GOOD }));
    expect(me.id).toBe(person.id);
  });
});

describe('deactivation', () => {
  let person: TestPerson;
  beforeEach(async () => {
    person = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
  });

  test('ends the sessions at once, keeps from signing in, and can be undone', async () => {
    const client = await clientOf(person);
    await client.session.me.query();
    await asAdmin.users.setActive.mutate({ ...operation(), userId: person.id, active: false });
    expect((await refusalOf(client.session.me.query())).code).toBe('unauthenticated');
    const credentials = { email: person.email, password: TEST_PASSWORD };
    expect((await refusalOf(visitor.session.signIn.mutate(credentials))).code).toBe('unauthenticated');
    await asAdmin.users.setActive.mutate({ ...operation(), userId: person.id, active: true });
    expect((await signedIn(visitor.session.signIn.mutate(credentials))).me.role).toBe('manager');
    await vi.waitFor(async () => {
      const told = await server.services.db.execute<{ op: string }>(sql`
        select op from events where entity_id = ${person.id} and op <> 'bulk' order by g`);
      expect(told.map(({ op }) => op)).toEqual(['put', 'access', 'sessions_ended', 'put', 'access']);
    }, PATIENCE);
  });

  test('is refused for oneself, and of two administrators at the same moment one stays', async () => {
    const self = asAdmin.users.setActive.mutate({ ...operation(), userId: admin.id, active: false });
    expect(await refusalOf(self)).toEqual({ code: 'forbidden', message: userMessages.ownAccount });
    const other = await createTestDatabase();
    const alone = await startTestServer(other);
    const [one, two] = [
      await createPerson(alone.services, { role: 'admin' }),
      await createPerson(alone.services, { role: 'admin' }),
    ];
    const against = async (by: TestPerson, whom: TestPerson) =>
      createTestClient(alone.url, await signInAs(alone, by)).users.setActive.mutate({
        ...operation(),
        userId: whom.id,
        active: false,
      });
    const outcomes = await Promise.allSettled([against(one, two), against(two, one)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await alone.stop();
    await other.drop();
  });
});

describe('sessions', () => {
  test('are listed with device and use, and end one by one or all', async () => {
    const person = await createPerson(server.services, { role: 'viewer' });
    const [one, two] = [await clientOf(person), await clientOf(person)];
    const { data: listed } = await asAdmin.users.sessions.query({ userId: person.id });
    expect(listed).toHaveLength(2);
    expect(listed[0]).toMatchObject({ userAgent: 'test', current: false });
    const { data: own } = await one.users.mySessions.query();
    const other = own.find(({ current }) => !current);
    expect(own.filter(({ current }) => current)).toHaveLength(1);
    await one.users.endMySession.mutate({ ...operation(), sessionId: other?.id ?? '' });
    expect((await refusalOf(two.session.me.query())).code).toBe('unauthenticated');
    await one.session.me.query();
    await asAdmin.users.endSessions.mutate({ ...operation(), userId: person.id });
    expect((await refusalOf(one.session.me.query())).code).toBe('unauthenticated');
  });

  test('of others cannot be ended by naming them', async () => {
    const person = await createPerson(server.services, { role: 'viewer' });
    const [theirs] = (await asAdmin.users.sessions.query({ userId: admin.id })).data;
    const client = await clientOf(person);
    await client.users.endMySession.mutate({ ...operation(), sessionId: theirs?.id ?? '' });
    await asAdmin.session.me.query();
  });
});

describe('one’s own account', () => {
  test('gets another password with the present one, which ends the other sessions only', async () => {
    const person = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    const [here, elsewhere] = [await clientOf(person), await clientOf(person)];
    const wrong = here.session.changePassword.mutate({ current: 'not-it', password: GOOD });
    expect(await refusalOf(wrong)).toEqual({
      code: 'invalid',
      fields: { current: accountMessages.currentWrong },
    });
    await elsewhere.session.me.query();
    await here.session.changePassword.mutate({ current: TEST_PASSWORD, password: GOOD });
    await here.session.me.query();
    expect((await refusalOf(elsewhere.session.me.query())).code).toBe('unauthenticated');
    expect(
      (await signedIn(visitor.session.signIn.mutate({ email: person.email, password: GOOD }))).me.id,
    ).toBe(person.id);
  });

  test('does not let the present password be guessed', async () => {
    const person = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    const client = await clientOf(person);
    const codes: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const guess = client.session.changePassword.mutate({ current: `guess-${n}`, password: GOOD });
      codes.push((await refusalOf(guess)).code);
    }
    expect(codes).toEqual([...Array(5).fill('invalid'), 'rate_limited']);
  });

  test('gets another name, which the lists of people hear of', async () => {
    const person = await createPerson(server.services, { role: 'viewer' });
    const client = await clientOf(person);
    const name = { firstName: 'Nova', lastName: 'Named' };
    await client.users.renameMe.mutate({ ...operation(), ...name });
    expect((await client.session.me.query()).data).toMatchObject(name);
    expect((await asAdmin.users.list.query()).data.find(({ id }) => id === person.id)).toMatchObject(name);
  });
});

test('access to many buildings is one change: all of them, or none if one does not exist', async () => {
  const person = await createPerson(server.services, { role: 'viewer', buildings: [building.id] });
  const more = [await createBuilding(server.services), await createBuilding(server.services)];
  const ids = [building, ...more].map(({ id }) => id);
  const input = { userId: person.id, buildingIds: ids };
  const bad = { ...operation(), ...input, buildingIds: [...ids, uuidv7()], granted: true };
  expect((await refusalOf(asAdmin.users.setAccess.mutate(bad))).code).toBe('not_found');
  const buildingsOf = async () =>
    (await asAdmin.users.list.query()).data.find(({ id }) => id === person.id)?.buildings;
  expect(await buildingsOf()).toEqual([building.id]);
  const granted = await asAdmin.users.setAccess.mutate({ ...operation(), ...input, granted: true });
  expect(granted.version).toBe(2);
  expect(await buildingsOf()).toEqual([...ids].sort());
  await asAdmin.users.setAccess.mutate({ ...operation(), ...input, granted: false });
  expect(await buildingsOf()).toEqual([]);
});

test('the role history names who gave each role', async () => {
  const person = await createPerson(server.services, { role: 'viewer' });
  await asAdmin.users.setRole.mutate({ ...operation(), userId: person.id, role: 'manager' });
  const [profile] = await server.services.db.select().from(profiles).where(eq(profiles.id, admin.id));
  const { data } = await asAdmin.users.roles.query({ userId: person.id });
  expect(data.map(({ role, by }) => [role, by])).toEqual([
    ['manager', `${profile?.firstName} ${profile?.lastName}`],
    ['viewer', null],
  ]);
});

describe('where mail is configured', () => {
  const mail = memoryMail();
  let mailing: TestServer;
  let client: TestClient;
  beforeAll(async () => {
    mailing = await startTestServer(database, {
      mail,
      clock,
      env: { publicUrl: 'http://lintel.test', allowInsecureHttp: true },
    });
    client = createTestClient(server.url);
  });
  afterAll(() => mailing.stop());

  async function post(path: string, input: unknown, cookie?: string): Promise<Response> {
    return fetch(`${mailing.url}/trpc/${path}`, {
      method: 'POST',
      headers: {
        origin: 'http://lintel.test',
        'x-app': '1',
        'content-type': 'application/json',
        ...(cookie === undefined ? {} : { cookie }),
      },
      body: JSON.stringify(input),
    });
  }

  test('an invitation goes out with its link', async () => {
    const input = invitation();
    const response = await post('users.invite', input, await signInAs(mailing, admin));
    const answer = await response.text();
    expect(JSON.parse(answer)).toMatchObject({ result: { data: { mailed: 'sent' } } });
    const sent = mail.sent.find(({ to }) => to === input.email);
    const token = /http:\/\/lintel\.test\/invite\/([\w-]{43})/.exec(sent?.text ?? '')?.[1] ?? '';
    expect((await visitor.session.link.mutate({ token })).email).toBe(input.email);
    // Only the person receives the token: with it, the inviting administrator could sign in as them.
    expect(answer).not.toContain(token);
  });

  test('a person who asked for a link is told that its mail could not be sent, and is shown no link', async () => {
    const port = await freePort();
    const failing = await startTestServer(database, {
      mail: smtpMail(`smtp://127.0.0.1:${await freePort()}`, 'Lintel <lintel@example.com>'),
      clock,
      env: { port, publicUrl: `http://127.0.0.1:${port}`, allowInsecureHttp: true },
    });
    const asker = createTestClient(failing.url, await signInAs(failing, admin));
    const input = invitation();
    const made = await asker.users.invite.mutate(input);
    const again = await asker.users.makeLink.mutate({ ...operation(), userId: input.id });
    expect([made.mailed, again.mailed]).toEqual(['failed', 'failed']);
    expect([made, again].filter((answer) => 'token' in answer)).toEqual([]);
    await failing.stop();
  });

  test('"Forgot password?" answers the same for every address, and sends a link to its owner', async () => {
    const person = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    const texts: string[] = [];
    for (const email of [person.email, 'nobody-at-all@example.com']) {
      texts.push(await (await post('session.forgotPassword', { email })).text());
    }
    expect(texts[0]).toBe(texts[1]);
    const letter = await vi.waitFor(() => {
      const found = mail.sent.find(({ to }) => to === person.email);
      if (found === undefined) throw new Error('no mail yet');
      return found;
    }, PATIENCE);
    expect(mail.sent.filter(({ to }) => to === 'nobody-at-all@example.com')).toEqual([]);
    const token = /\/reset\/([\w-]{43})/.exec(letter.text)?.[1] ?? '';
    const { me } = await signedIn(client.session.followLink.mutate({ token, password: GOOD }));
    expect(me.id).toBe(person.id);
  });
});
