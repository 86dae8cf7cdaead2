import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessions } from '#db/schema/people.ts';
import { resetSecondFactor } from '#server/boot/operator.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/dates.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { openStream } from '#tests/support/live/live-client.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import {
  createTestClient,
  headersFor,
  refusalOf,
  signedIn,
  type TestClient,
} from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { codeOf, TOTP_STEP_MS } from '#tests/support/sign-in/authenticator-app.ts';

// 2-step verification: a code of an authenticator app after the password. Managers and administrators need it here.

let database: TestDatabase;
let clock: TestClock;
let server: TestServer;
let person: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock();
  const signIn = { ...SIGN_IN_DEFAULTS, secondFactor: ['admin' as const, 'manager' as const] };
  server = await startTestServer(database, { clock, signIn });
});
beforeEach(async () => {
  // A code can be used only once, and attempts are counted by the hour.
  clock.advance(2 * HOUR_MS);
  person = await createPerson(server.services, { role: 'operative', password: TEST_PASSWORD });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const visitor = () => createTestClient(server.url);
const credentialsOf = ({ email }: TestPerson) => ({ email, password: TEST_PASSWORD });
const sessionsOf = ({ id }: TestPerson) =>
  server.services.db.select().from(sessions).where(eq(sessions.userId, id));

/** Turns 2-step verification on for a signed-in person, and waits until the next code. */
async function turnOn(client: TestClient) {
  const { secret, enrolment } = await client.users.beginSecondFactor.mutate(operation());
  const code = codeOf(secret, clock.now());
  const { recoveryCodes: codes = [] } = await client.users.addSecondFactor.mutate({
    ...operation(),
    ...{ enrolment, code },
  });
  clock.advance(TOTP_STEP_MS);
  return { secret, codes, usedCode: code };
}

async function enrolled() {
  const client = createTestClient(server.url, await signInAs(server, person));
  return { client, ...(await turnOn(client)) };
}

/** Signs in with the password. @returns the ticket of the second step */
async function enterPassword(of: TestPerson = person) {
  const answer = await visitor().session.signIn.mutate(credentialsOf(of));
  if (!('ticket' in answer)) throw new Error('no second step is needed');
  return answer;
}

describe('a person who has turned it on', () => {
  test('is signed in by the password and the code, and by neither alone', async () => {
    const { secret } = await enrolled();
    await server.services.db.delete(sessions).where(eq(sessions.userId, person.id));
    const { step, ticket } = await enterPassword();
    expect(step).toBe('code');
    expect(await sessionsOf(person)).toEqual([]);
    const done = await visitor().session.completeSignIn.mutate({ ticket, code: codeOf(secret, clock.now()) });
    expect(done.me.id).toBe(person.id);
    expect(await sessionsOf(person)).toMatchObject([{ hasSecondFactor: true }]);
  });

  test('accepts a code typed with spaces, and those of half a minute before and after', async () => {
    const { secret } = await enrolled();
    for (const offMs of [-TOTP_STEP_MS, 0, TOTP_STEP_MS]) {
      clock.advance(3 * TOTP_STEP_MS);
      const { ticket } = await enterPassword();
      const code = codeOf(secret, new Date(clock.now().getTime() + offMs)).replace(/(...)/, ' $1 ');
      await visitor().session.completeSignIn.mutate({ ticket, code });
    }
  });

  test('cannot be entered with a code that was used, an older one, or a guess', async () => {
    const { secret, usedCode } = await enrolled();
    const { ticket } = await enterPassword();
    const right = codeOf(secret, clock.now());
    await visitor().session.completeSignIn.mutate({ ticket, code: right });
    const tooOld = codeOf(secret, new Date(clock.now().getTime() - 3 * TOTP_STEP_MS));
    for (const code of [right, usedCode, tooOld, '000000', 'a'.repeat(16), '😀']) {
      const refusal = await refusalOf(visitor().session.completeSignIn.mutate({ ticket, code }));
      expect(refusal).toMatchObject({ code: 'invalid', fields: { code: secondFactorMessages.codeWrong } });
    }
  });

  test('gets in once with the same code of two windows', async () => {
    const { secret } = await enrolled();
    const tickets = await Promise.all([1, 2, 3, 4].map(() => enterPassword()));
    const code = codeOf(secret, clock.now());
    const outcomes = await Promise.allSettled(
      tickets.map(({ ticket }) => visitor().session.completeSignIn.mutate({ ticket, code })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('gets in with each recovery code once, however it is typed', async () => {
    const { client, codes } = await enrolled();
    expect(codes).toHaveLength(10);
    const [first = '', second = ''] = codes;
    expect(first).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/);
    const { ticket } = await enterPassword();
    await visitor().session.completeSignIn.mutate({ ticket, code: first });
    expect((await refusalOf(visitor().session.completeSignIn.mutate({ ticket, code: first }))).code).toBe(
      'invalid',
    );
    const typed = second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l');
    await visitor().session.completeSignIn.mutate({ ticket, code: typed });
    expect((await client.users.mySecondFactor.query()).data.state).toMatchObject({ recoveryCodesLeft: 8 });

    const made = await client.users.makeRecoveryCodes.mutate(operation());
    expect(made.recoveryCodes).toHaveLength(10);
    expect(
      (await refusalOf(visitor().session.completeSignIn.mutate({ ticket, code: codes[2] ?? '' }))).code,
    ).toBe('invalid');
    await visitor().session.completeSignIn.mutate({ ticket, code: made.recoveryCodes?.[0] ?? '' });
  });

  test('is asked for it after a link to a new password, too', async () => {
    const { secret } = await enrolled();
    const admin = await administrator();
    const { token = '' } = await admin.client.users.makeLink.mutate({ ...operation(), userId: person.id });
    const password = 'a-password-of-my-own';
    const answer = await visitor().session.followLink.mutate({ token, password });
    if (!('ticket' in answer)) throw new Error('no second step is needed');
    expect(await sessionsOf(person)).toEqual([]);
    const { ticket } = answer;
    const done = await visitor().session.completeSignIn.mutate({ ticket, code: codeOf(secret, clock.now()) });
    expect(done.me.id).toBe(person.id);
  });

  test('turns it off, and signs in with the password again', async () => {
    const { client } = await enrolled();
    await client.users.removeSecondFactor.mutate(operation());
    await signedIn(visitor().session.signIn.mutate(credentialsOf(person)));
    expect((await client.users.myNotices.query()).data.map(({ kind }) => kind)).toEqual(['new_device']);
    // The session that made the change does not get the notice.
    const other = createTestClient(server.url, await signInAs(server, person));
    expect((await other.users.myNotices.query()).data.map(({ kind }) => kind).sort()).toEqual([
      'new_device',
      'second_factor_added',
      'second_factor_removed',
    ]);
  });
});

describe('a ticket', () => {
  test('ends after ten minutes, and with a change of the password', async () => {
    const { client, secret } = await enrolled();
    const late = await enterPassword();
    clock.advance(10 * MINUTE_MS + 1);
    const code = () => codeOf(secret, clock.now());
    const expired = { code: 'unauthenticated', message: secondFactorMessages.expired };
    const first = visitor().session.completeSignIn.mutate({ ticket: late.ticket, code: code() });
    expect(await refusalOf(first)).toMatchObject(expired);
    const changed = await enterPassword();
    await client.session.changePassword.mutate({ current: TEST_PASSWORD, password: 'a-password-of-my-own' });
    const second = visitor().session.completeSignIn.mutate({ ticket: changed.ticket, code: code() });
    expect(await refusalOf(second)).toMatchObject(expired);
    for (const ticket of ['', 'x', `${late.ticket}A`, 'A'.repeat(200)]) {
      const call = visitor().session.completeSignIn.mutate({ ticket, code: code() });
      expect((await refusalOf(call)).code).toBe(ticket === '' ? 'invalid' : 'unauthenticated');
    }
  });

  test('is of no use for another purpose or person', async () => {
    const { client, secret } = await enrolled();
    const { ticket } = await enterPassword();
    // A person who has an app cannot set up another with the password alone.
    const begun = visitor().session.beginEnrolment.mutate({ ticket });
    expect((await refusalOf(begun)).code).toBe('unauthenticated');
    const { enrolment, secret: own } = await client.users.beginSecondFactor.mutate(operation());
    const proof = { enrolment, code: codeOf(own, clock.now()) };
    const other = await createPerson(server.services, { role: 'viewer' });
    const asOther = createTestClient(server.url, await signInAs(server, other));
    const theirs = asOther.users.addSecondFactor.mutate({ ...operation(), ...proof });
    expect((await refusalOf(theirs)).message).toBe(secondFactorMessages.enrolExpired);
    const twice = client.users.addSecondFactor.mutate({ ...operation(), ...proof });
    expect((await refusalOf(twice)).message).toBe(secondFactorMessages.alreadyOn);
    const code = codeOf(secret, clock.now());
    expect((await refusalOf(visitor().session.completeSignIn.mutate({ ticket: enrolment, code }))).code).toBe(
      'unauthenticated',
    );
  });
});

describe('wrong codes', () => {
  test('are limited for strangers, who do not lock the person out, and the person is told', async () => {
    const { client, secret, codes } = await enrolled();
    // A device on which the person has signed in before.
    const { ticket: first } = await enterPassword();
    const known = await post('completeSignIn', { ticket: first, code: codeOf(secret, clock.now()) });
    const device = cookiesOf(known);
    clock.advance(TOTP_STEP_MS);
    const { ticket } = await enterPassword();
    const guess = () => refusalOf(visitor().session.completeSignIn.mutate({ ticket, code: '000000' }));
    for (let n = 0; n < 10; n += 1) expect((await guess()).code).toBe('invalid');
    const code = codeOf(secret, clock.now());
    const stranger = visitor().session.completeSignIn.mutate({ ticket, code });
    expect((await refusalOf(stranger)).code).toBe('rate_limited');
    const kinds = (await client.users.myNotices.query()).data.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'second_factor_failed')).toHaveLength(1);
    await createTestClient(server.url, device).session.completeSignIn.mutate({ ticket, code });
    // Recovery codes are for a phone whose codes are wrong.
    await visitor().session.completeSignIn.mutate({ ticket, code: codes[0] ?? '' });
    expect((await guess()).code).toBe('rate_limited');
  });

  test('are told to the person when they authenticate again, too', async () => {
    const { client, secret } = await enrolled();
    const again = (code: string) => client.session.reauthenticate.mutate({ password: TEST_PASSWORD, code });
    for (let n = 0; n < 5; n += 1) expect((await refusalOf(again('000000'))).fields).toHaveProperty('code');
    const kinds = (await client.users.myNotices.query()).data.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'second_factor_failed')).toHaveLength(1);
    expect((await refusalOf(again(codeOf(secret, clock.now())))).code).toBe('rate_limited');
  });

  test('share one limit on all devices that the account was used on', async () => {
    const { secret } = await enrolled();
    const devices: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { ticket } = await enterPassword();
      const response = await post('completeSignIn', { ticket, code: codeOf(secret, clock.now()) });
      devices.push(cookiesOf(response));
      clock.advance(TOTP_STEP_MS);
    }
    const { ticket } = await enterPassword();
    const outcomes: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const client = createTestClient(server.url, devices[n % 3]);
      outcomes.push((await refusalOf(client.session.completeSignIn.mutate({ ticket, code: '000000' }))).code);
    }
    expect(outcomes).toEqual([...Array(10).fill('invalid'), 'rate_limited', 'rate_limited']);
  });

  test('of strangers are forgotten with a new password', async () => {
    const { secret } = await enrolled();
    const old = await enterPassword();
    const guess = { ticket: old.ticket, code: '000000' };
    for (let n = 0; n < 10; n += 1) await refusalOf(visitor().session.completeSignIn.mutate(guess));
    const { client } = await administrator();
    const { token = '' } = await client.users.makeLink.mutate({ ...operation(), userId: person.id });
    const step = await visitor().session.followLink.mutate({ token, password: 'a-password-of-my-own' });
    if (!('ticket' in step)) throw new Error('no second step is needed');
    const code = codeOf(secret, clock.now());
    await visitor().session.completeSignIn.mutate({ ticket: step.ticket, code });
  });
});

async function administrator() {
  const admin = await createPerson(server.services, { role: 'admin', password: TEST_PASSWORD });
  const cookie = await signInAs(server, admin);
  const client = createTestClient(server.url, cookie);
  return { admin, client };
}

describe('a person whose role needs it', () => {
  test('sets it up when signing in, and is let in by nothing else', async () => {
    const manager = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
    const { step, ticket } = await enterPassword(manager);
    expect(step).toBe('enrol');
    const { enrolment, secret, address } = await visitor().session.beginEnrolment.mutate({ ticket });
    expect(decodeURIComponent(address)).toContain(`Lintel:${manager.email}`);
    const wrong = visitor().session.completeEnrolment.mutate({ ticket, enrolment, code: '000000' });
    expect((await refusalOf(wrong)).code).toBe('invalid');
    const none = visitor().session.completeSignIn.mutate({ ticket, code: codeOf(secret, clock.now()) });
    expect((await refusalOf(none)).code).toBe('unauthenticated');
    expect(await sessionsOf(manager)).toEqual([]);

    const code = codeOf(secret, clock.now());
    const done = await visitor().session.completeEnrolment.mutate({ ticket, enrolment, code });
    expect(done.me.id).toBe(manager.id);
    expect(done.recoveryCodes).toHaveLength(10);
    // A second window, which had begun to set up 2-step verification as well.
    const other = await visitor().session.beginEnrolment.mutate({ ticket });
    const late = visitor().session.completeEnrolment.mutate({
      ...{ ticket, enrolment: other.enrolment },
      code: codeOf(other.secret, clock.now()),
    });
    expect((await refusalOf(late)).code).toBe('unauthenticated');
    clock.advance(TOTP_STEP_MS);
    expect((await enterPassword(manager)).step).toBe('code');
  });

  test('cannot turn it off', async () => {
    const { client } = await administrator();
    await turnOn(client);
    expect(await refusalOf(client.users.removeSecondFactor.mutate(operation()))).toMatchObject({
      code: 'forbidden',
      message: secondFactorMessages.required,
    });
    expect((await client.users.mySecondFactor.query()).data.isNeeded).toBe(true);
  });

  test('is signed out when the role is given to a session without it', async () => {
    const { client: admin } = await administrator();
    const cookie = cookiesOf(await post('signIn', credentialsOf(person)));
    const stream = openStream(server.url, cookie);
    await vi.waitFor(() => expect(stream.frames).not.toEqual([]), PATIENCE);
    const client = createTestClient(server.url, cookie);
    expect((await client.session.me.query()).data.id).toBe(person.id);
    await admin.users.setRole.mutate({
      ...operation(),
      ...{ userId: person.id, from: 'operative', role: 'manager' },
    });
    expect((await refusalOf(client.session.me.query())).code).toBe('unauthenticated');
    await vi.waitFor(() => expect(stream.closes).toContain(4401), PATIENCE);
    await stream.close();
    expect(await sessionsOf(person)).toEqual([]);
  });

  test('gets new recovery codes if the answer to setting it up was lost', async () => {
    const manager = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
    const { ticket } = await enterPassword(manager);
    const { enrolment, secret } = await visitor().session.beginEnrolment.mutate({ ticket });
    const proof = { ticket, enrolment, code: codeOf(secret, clock.now()) };
    const first = await visitor().session.completeEnrolment.mutate(proof);
    const second = await visitor().session.completeEnrolment.mutate(proof);
    expect(second.recoveryCodes).toHaveLength(10);
    expect(second.recoveryCodes).not.toContain(first.recoveryCodes[0]);
    const wrong = visitor().session.completeEnrolment.mutate({ ...proof, code: '000000' });
    expect((await refusalOf(wrong)).code).toBe('invalid');
  });
});

test('turning it on ends the sessions that began without it, and turning it off leaves none that has it', async () => {
  const thief = cookiesOf(await post('signIn', credentialsOf(person)));
  const { client } = await enrolled();
  expect((await refusalOf(createTestClient(server.url, thief).session.me.query())).code).toBe(
    'unauthenticated',
  );
  await client.users.removeSecondFactor.mutate(operation());
  expect(await sessionsOf(person)).toMatchObject([{ hasSecondFactor: false }]);
  // Therefore a role that needs a second factor ends this session, too.
  const { client: admin } = await administrator();
  await admin.users.setRole.mutate({
    ...operation(),
    ...{ userId: person.id, from: 'operative', role: 'manager' },
  });
  expect(await sessionsOf(person)).toEqual([]);
});

/** Calls a procedure of `session` as a browser does. */
function post(path: string, input: object): Promise<Response> {
  return fetch(`${server.url}/trpc/session.${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersFor(server.url) },
    body: JSON.stringify(input),
  });
}

/** The cookies that an answer sets. */
function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
}

describe('a lost phone', () => {
  test('is helped by an administrator: the password signs in again, and all sessions have ended', async () => {
    await enrolled();
    const { admin, client } = await administrator();
    expect((await client.users.secondFactor.query({ userId: person.id })).data).toMatchObject({
      state: { recoveryCodesLeft: 10 },
      passkeys: 0,
    });
    await client.users.resetSecondFactor.mutate({ ...operation(), userId: person.id });
    expect(await sessionsOf(person)).toEqual([]);
    expect((await client.users.secondFactor.query({ userId: person.id })).data.state).toBeNull();
    await signedIn(visitor().session.signIn.mutate(credentialsOf(person)));
    const again = await client.users.resetSecondFactor.mutate({ ...operation(), userId: person.id });
    expect(again.id).toBe(person.id);
    const own = client.users.resetSecondFactor.mutate({ ...operation(), userId: admin.id });
    expect((await refusalOf(own)).code).toBe('forbidden');
  });

  test('is helped by the operator', async () => {
    await enrolled();
    expect(await resetSecondFactor(server.services, person.id)).toBe(true);
    expect(await resetSecondFactor(server.services, person.id)).toBe(false);
    expect(await sessionsOf(person)).toEqual([]);
    await signedIn(visitor().session.signIn.mutate(credentialsOf(person)));
  });
});
