import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountNotices } from '#db/schema/accounts.ts';
import { passkeys, usedChallenges } from '#db/schema/passkeys.ts';
import { credentials, sessions } from '#db/schema/people.ts';
import { totpSecrets } from '#db/schema/second-factors.ts';
import { resetPassword, resetSecondFactor } from '#server/boot/operator.ts';
import { SIGN_IN_DEFAULTS } from '#server/kernel/sign-in/sign-in-file.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/dates.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import { PASSKEYS_MAX } from '#shared/features/users/passkeys.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { codeOf } from '#tests/support/sign-in/authenticator-app.ts';
import { type Authenticator, createAuthenticator } from '#tests/support/sign-in/passkey-authenticator.ts';
import { addPasskey, atHostName } from '#tests/support/sign-in/passkeys.ts';

// Passkeys, with a software authenticator. Managers need a second factor here.

let database: TestDatabase;
let clock: TestClock;
let server: TestServer;
let origin: string;
let person: TestPerson;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock();
  const signIn = { ...SIGN_IN_DEFAULTS, secondFactor: ['manager' as const] };
  server = await startTestServer(database, { clock, signIn });
  origin = atHostName(server.url);
});
beforeEach(async () => {
  clock.advance(2 * HOUR_MS);
  person = await createPerson(server.services, { role: 'operative', password: TEST_PASSWORD });
  client = await clientOf(person);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const clientOf = async (of: TestPerson) => createTestClient(origin, await signInAs(server, of));
const visitor = () => createTestClient(origin);
const sessionsOf = ({ id }: TestPerson) =>
  server.services.db.select().from(sessions).where(eq(sessions.userId, id));
const noticesOf = async ({ id }: TestPerson) => {
  const rows = await server.services.db.select().from(accountNotices).where(eq(accountNotices.userId, id));
  return rows.map(({ kind }) => kind);
};
const signOutEverywhere = () => server.services.sessions.endAllForUser(person.id);

/** Sets the last authentication of the person's sessions an hour back, so that sensitive commands need a new one. */
const forgetAuthentication = () => {
  const authenticatedAt = new Date(Date.now() - HOUR_MS).toISOString();
  return server.services.db.update(sessions).set({ authenticatedAt }).where(eq(sessions.userId, person.id));
};

type Faults = Parameters<Authenticator['sign']>[1];
async function signInWith(authenticator: Authenticator, faults?: Faults, by = visitor()) {
  const { options, challenge } = await by.session.beginPasskeySignIn.mutate({});
  return by.session.signInWithPasskey.mutate({ challenge, assertion: authenticator.sign(options, faults) });
}

describe('signing in', () => {
  test('a passkey signs in without a password, as two factors at once', async () => {
    const { authenticator } = await addPasskey(client, origin);
    await signOutEverywhere();
    const { me, linked } = await signInWith(authenticator);
    expect([me.id, linked]).toEqual([person.id, null]);
    expect(await sessionsOf(person)).toMatchObject([{ hasSecondFactor: true }]);
    const admin = await clientOf(await createPerson(server.services, { role: 'admin' }));
    const { data } = await admin.activity.list.query({ filter: {}, limit: 5 });
    expect(data.entries.map(({ command }) => command)).toContain('session.signInWithPasskey');
  });

  test('its use is seen in the list', async () => {
    const { id, authenticator } = await addPasskey(client, origin, 'Work phone');
    const before = (await client.users.myPasskeys.query()).data;
    expect(before).toMatchObject({
      isAllowed: true,
      passkeys: [{ id, name: 'Work phone', lastUsedAt: null, host: 'localhost' }],
    });
    clock.advance(MINUTE_MS);
    await signInWith(authenticator);
    const [passkey] = (await client.users.myPasskeys.query()).data.passkeys;
    expect(passkey?.lastUsedAt).toBe(clock.now().toISOString());
  });

  test.each<[string, NonNullable<Faults>]>([
    ['made at another site', { origin: 'https://lintel.example.net' }],
    ['for another host', { rpId: 'example.net' }],
    ['without a check of the person', { isVerified: false }],
    ['of a creation', { type: 'webauthn.create' }],
    ['to a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('a response %s is refused', async (_what, faults) => {
    const { authenticator } = await addPasskey(client, origin);
    const refusal = await refusalOf(signInWith(authenticator, faults));
    expect(refusal).toMatchObject({ code: 'unauthenticated', message: passkeyMessages.notAccepted });
  });

  test('an unknown passkey, one of another key with a known id, and a removed one get the same answer', async () => {
    const { id, authenticator } = await addPasskey(client, origin);
    const stranger = createAuthenticator(origin);
    const posing = {
      ...stranger,
      sign: (...args: Parameters<Authenticator['sign']>) => ({
        ...stranger.sign(...args),
        credentialId: authenticator.credentialId,
      }),
    };
    const refusals = [await refusalOf(signInWith(stranger)), await refusalOf(signInWith(posing))];
    await client.users.removePasskey.mutate({ ...operation(), id });
    refusals.push(await refusalOf(signInWith(authenticator)));
    for (const refusal of refusals) {
      expect(refusal).toEqual({ code: 'unauthenticated', message: passkeyMessages.notAccepted });
    }
  });

  test('a response is accepted once, also of several at the same time, and not after its time', async () => {
    const { authenticator } = await addPasskey(client, origin);
    const { options, challenge } = await visitor().session.beginPasskeySignIn.mutate({});
    const input = { challenge, assertion: authenticator.sign(options) };
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(() => visitor().session.signInWithPasskey.mutate(input)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const late = await visitor().session.beginPasskeySignIn.mutate({});
    clock.advance(7 * MINUTE_MS);
    const assertion = authenticator.sign(late.options);
    const refusal = refusalOf(
      visitor().session.signInWithPasskey.mutate({ challenge: late.challenge, assertion }),
    );
    expect((await refusal).code).toBe('unauthenticated');
  });

  test('used challenges are deleted once they have expired', async () => {
    const { authenticator } = await addPasskey(client, origin);
    await signInWith(authenticator);
    const { db } = server.services;
    expect(await db.$count(usedChallenges)).toBeGreaterThan(0);
    clock.advance(HOUR_MS);
    const { sweepChallenges } = await import('#server/accounts/passkey-challenges.ts');
    await sweepChallenges(db, clock.now());
    expect(await db.$count(usedChallenges)).toBe(0);
  });

  test('a copied authenticator shows: its counter has not risen', async () => {
    const { authenticator } = await addPasskey(client, origin);
    authenticator.count(7);
    await signInWith(authenticator);
    for (const counter of [7, 6, 0]) {
      authenticator.count(counter);
      expect((await refusalOf(signInWith(authenticator))).code).toBe('unauthenticated');
    }
    // Two sign-ins with the same counter at the same time.
    authenticator.count(8);
    const outcomes = await Promise.allSettled([signInWith(authenticator), signInWith(authenticator)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a deactivated person is refused, and so is one whose password was removed', async () => {
    const { authenticator } = await addPasskey(client, origin);
    const admin = await clientOf(await createPerson(server.services, { role: 'admin' }));
    await admin.users.setActive.mutate({ ...operation(), userId: person.id, active: false });
    expect(await refusalOf(signInWith(authenticator))).toMatchObject({
      code: 'unauthenticated',
      message: signInMessages.problems.inactive(),
    });
    await admin.users.setActive.mutate({ ...operation(), userId: person.id, active: true });
    await signInWith(authenticator);
    await server.services.db.delete(credentials).where(eq(credentials.userId, person.id));
    expect((await refusalOf(signInWith(authenticator))).code).toBe('unauthenticated');
  });

  test('there are none at an IP address', async () => {
    const refusal = await refusalOf(createTestClient(server.url).session.beginPasskeySignIn.mutate({}));
    expect(refusal).toMatchObject({ code: 'forbidden', message: passkeyMessages.notHere });
  });

  test('another person who is signed in on this device is signed out', async () => {
    const { authenticator } = await addPasskey(client, origin);
    const other = await createPerson(server.services, { role: 'viewer' });
    await signInWith(authenticator, {}, await clientOf(other));
    expect(await sessionsOf(other)).toEqual([]);
  });

  test('the person is told of a device on which the account was not used before', async () => {
    const { authenticator } = await addPasskey(client, origin);
    await signInWith(authenticator);
    expect(await noticesOf(person)).toContain('new_device');
  });
});

describe('adding one', () => {
  test('is announced to the other sessions, and needs credentials of late', async () => {
    await addPasskey(client, origin);
    expect(await noticesOf(person)).toEqual(['passkey_added']);
    await forgetAuthentication();
    const refusal = await refusalOf(client.users.beginPasskey.mutate(operation()));
    expect(refusal.code).toBe('reauthentication_required');
  });

  test.each<[string, NonNullable<Parameters<Authenticator['create']>[1]>]>([
    ['made at another site', { origin: 'https://lintel.example.net' }],
    ['for another host', { rpId: 'example.net' }],
    ['without a check of the person', { isVerified: false }],
    ['that is a sign-in', { type: 'webauthn.get' }],
    ['with a certificate', { attestation: 'certificate' }],
  ])('a response %s is refused', async (_what, faults) => {
    const { options, challenge } = await client.users.beginPasskey.mutate(operation());
    const attestation = createAuthenticator(origin).create(options, faults);
    const input = { ...operation(), id: uuidv7(), name: 'Phone', challenge, attestation };
    const refusal = await refusalOf(client.users.addPasskey.mutate(input));
    expect(refusal).toMatchObject({ code: 'forbidden', message: passkeyMessages.refused });
    expect(await noticesOf(person)).toEqual([]);
  });

  test('a challenge is good in the session that asked for it, and for a few minutes', async () => {
    const { options, challenge } = await client.users.beginPasskey.mutate(operation());
    const input = {
      id: uuidv7(),
      name: 'Phone',
      challenge,
      attestation: createAuthenticator(origin).create(options),
    };
    const elsewhere = await clientOf(person);
    expect((await refusalOf(elsewhere.users.addPasskey.mutate({ ...operation(), ...input }))).code).toBe(
      'conflict',
    );
    clock.advance(7 * MINUTE_MS);
    expect((await refusalOf(client.users.addPasskey.mutate({ ...operation(), ...input }))).code).toBe(
      'conflict',
    );
  });

  test('a repeated call whose answer was lost gets the same answer, also after the challenge has expired', async () => {
    const { options, challenge } = await client.users.beginPasskey.mutate(operation());
    const attestation = createAuthenticator(origin).create(options);
    const input = { ...operation(), id: uuidv7(), name: 'Phone', challenge, attestation };
    const first = await client.users.addPasskey.mutate(input);
    clock.advance(7 * MINUTE_MS);
    expect(await client.users.addPasskey.mutate(input)).toEqual(first);
    expect(await noticesOf(person)).toEqual(['passkey_added']);
  });

  test('a credential belongs to one person, and a person has ten at most', async () => {
    const { authenticator } = await addPasskey(client, origin);
    const other = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    const theirs = await clientOf(other);
    const { options, challenge } = await theirs.users.beginPasskey.mutate(operation());
    const attestation = authenticator.create(options);
    const input = { ...operation(), id: uuidv7(), name: 'Stolen', challenge, attestation };
    expect(await refusalOf(theirs.users.addPasskey.mutate(input))).toMatchObject({
      code: 'conflict',
      message: passkeyMessages.known,
    });
    for (let n = 1; n < PASSKEYS_MAX; n += 1) await addPasskey(client, origin, `Phone ${n}`);
    expect(await refusalOf(addPasskey(client, origin))).toMatchObject({
      message: passkeyMessages.tooMany(PASSKEYS_MAX),
    });
  });

  test('people without a password have none', async () => {
    const guest = await createPerson(server.services, { role: 'viewer' });
    const theirs = await clientOf(guest);
    expect(await refusalOf(theirs.users.beginPasskey.mutate(operation()))).toMatchObject({
      code: 'forbidden',
      message: passkeyMessages.notAllowed,
    });
    expect((await theirs.users.myPasskeys.query()).data).toMatchObject({ passkeys: [], isAllowed: false });
  });

  test('the ones of others cannot be renamed or removed', async () => {
    const { id } = await addPasskey(client, origin);
    const other = await clientOf(await createPerson(server.services, { role: 'admin' }));
    for (const call of [
      () => other.users.renamePasskey.mutate({ ...operation(), id, name: 'Mine' }),
      () => other.users.removePasskey.mutate({ ...operation(), id }),
    ]) {
      expect((await refusalOf(call())).code).toBe('not_found');
    }
    expect(await server.services.db.$count(passkeys, eq(passkeys.id, id))).toBe(1);
  });
});

describe('removing one', () => {
  test('ends the sessions that began with it, other than the present one', async () => {
    const lost = await addPasskey(client, origin, 'Lost phone');
    const kept = await addPasskey(client, origin, 'Laptop');
    await signInWith(lost.authenticator);
    await signInWith(kept.authenticator);
    expect(await sessionsOf(person)).toHaveLength(3);
    await client.users.removePasskey.mutate({ ...operation(), id: lost.id });
    await client.session.me.query();
    expect(await sessionsOf(person)).toHaveLength(2);
  });

  test('happens with a new password by a link, or by the operator: a stranger may have added it', async () => {
    const admin = await clientOf(await createPerson(server.services, { role: 'admin' }));
    const byLink = async () => {
      const { token = '' } = await admin.users.makeLink.mutate({ ...operation(), userId: person.id });
      await visitor().session.followLink.mutate({ token, password: 'a-password-of-my-own' });
    };
    const byOperator = () => resetPassword(server.services, person.id, 'another-password-of-mine');
    for (const setPassword of [byLink, byOperator]) {
      const { authenticator } = await addPasskey(await clientOf(person), origin);
      await setPassword();
      expect((await refusalOf(signInWith(authenticator))).code).toBe('unauthenticated');
    }
  });
});

describe('authenticating again', () => {
  const begun = async (by: TestClient) => by.session.beginPasskeyReauthentication.mutate({});

  test('with a passkey allows sensitive changes again', async () => {
    const { authenticator } = await addPasskey(client, origin);
    await forgetAuthentication();
    expect((await refusalOf(client.users.beginPasskey.mutate(operation()))).code).toBe(
      'reauthentication_required',
    );
    expect(await client.session.reauthenticationOptions.query()).toMatchObject({
      passkeyHosts: ['localhost'],
    });
    const { options, challenge } = await begun(client);
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([authenticator.credentialId]);
    const assertion = authenticator.sign(options);
    await client.session.reauthenticateWithPasskey.mutate({ challenge, assertion });
    await client.users.beginPasskey.mutate(operation());
    const repeated = client.session.reauthenticateWithPasskey.mutate({ challenge, assertion });
    expect((await refusalOf(repeated)).code).toBe('forbidden');
  });

  test('is not possible with another person’s, nor with a challenge of another session or of a sign-in', async () => {
    const { authenticator } = await addPasskey(client, origin);
    const thief = await createPerson(server.services, { role: 'viewer', password: TEST_PASSWORD });
    const theirs = await clientOf(thief);
    const { authenticator: own } = await addPasskey(theirs, origin);
    await forgetAuthentication();
    const mine = await begun(client);
    const signIn = await visitor().session.beginPasskeySignIn.mutate({});
    const elsewhere = await begun(await clientOf(person));
    for (const [{ options, challenge }, used, message] of [
      [mine, own, passkeyMessages.notAccepted],
      [signIn, authenticator, passkeyMessages.expired],
      [elsewhere, authenticator, passkeyMessages.expired],
    ] as const) {
      const input = { challenge, assertion: used.sign(options) };
      const refusal = await refusalOf(client.session.reauthenticateWithPasskey.mutate(input));
      expect(refusal).toMatchObject({ code: 'forbidden', message });
    }
    expect((await refusalOf(client.users.beginPasskey.mutate(operation()))).code).toBe(
      'reauthentication_required',
    );
  });
});

test('a person with an authenticator app can use the passkey instead of a code', async () => {
  const { authenticator } = await addPasskey(client, origin);
  const { secret, enrolment } = await client.users.beginSecondFactor.mutate(operation());
  const code = codeOf(secret, clock.now());
  await client.users.addSecondFactor.mutate({ ...operation(), enrolment, code });
  const answer = await visitor().session.signIn.mutate({ email: person.email, password: TEST_PASSWORD });
  expect(answer).toMatchObject({ step: 'code', passkeyHosts: ['localhost'] });
  await signInWith(authenticator);
});

describe('a person whose role needs a second factor', () => {
  let manager: TestPerson;
  let theirs: TestClient;
  beforeEach(async () => {
    manager = await createPerson(server.services, { role: 'manager', password: TEST_PASSWORD });
    theirs = await clientOf(manager);
  });
  const enterPassword = () =>
    visitor().session.signIn.mutate({ email: manager.email, password: TEST_PASSWORD });

  test('is led from the password to the passkey, and cannot set up an app with the password alone', async () => {
    const { authenticator } = await addPasskey(theirs, origin);
    expect(await enterPassword()).toEqual({ step: 'passkey', passkeyHosts: ['localhost'] });
    expect((await signInWith(authenticator)).me.id).toBe(manager.id);
  });

  test('cannot authenticate again with the password alone, nor by changing it', async () => {
    await addPasskey(theirs, origin);
    await server.services.db
      .update(sessions)
      .set({ authenticatedAt: new Date(Date.now() - HOUR_MS).toISOString() })
      .where(eq(sessions.userId, manager.id));
    expect(await theirs.session.reauthenticationOptions.query()).toMatchObject({
      ...{ password: false, hasPassword: true, passkeyHosts: ['localhost'] },
    });
    const refusal = await refusalOf(theirs.session.reauthenticate.mutate({ password: TEST_PASSWORD }));
    expect(refusal.fields).toEqual({ password: passkeyMessages.passwordNotEnough });
    const password = 'a-password-of-my-own';
    await theirs.session.changePassword.mutate({ current: TEST_PASSWORD, password });
    expect((await refusalOf(theirs.users.beginPasskey.mutate(operation()))).code).toBe(
      'reauthentication_required',
    );
  });

  test('keeps the passkey with a new password by a link, and signs in with it', async () => {
    const { authenticator } = await addPasskey(theirs, origin);
    const admin = await clientOf(await createPerson(server.services, { role: 'admin' }));
    const { token = '' } = await admin.users.makeLink.mutate({ ...operation(), userId: manager.id });
    const password = 'a-password-of-my-own';
    expect(await visitor().session.followLink.mutate({ token, password })).toMatchObject({ step: 'passkey' });
    await signInWith(authenticator);
  });

  test('is not let go with a passkey of another host only, nor let in without it', async () => {
    const { id } = await addPasskey(theirs, origin);
    const { secret, enrolment } = await theirs.users.beginSecondFactor.mutate(operation());
    const code = codeOf(secret, clock.now());
    await theirs.users.addSecondFactor.mutate({ ...operation(), enrolment, code });
    await server.services.db.update(passkeys).set({ rpId: 'old.example.com' }).where(eq(passkeys.id, id));
    const refusal = await refusalOf(theirs.users.removeSecondFactor.mutate(operation()));
    expect(refusal).toMatchObject({ code: 'forbidden', message: secondFactorMessages.required });
    await server.services.db.delete(totpSecrets).where(eq(totpSecrets.userId, manager.id));
    expect(await enterPassword()).toEqual({ step: 'passkey', passkeyHosts: ['old.example.com'] });
  });

  test('cannot use a ticket from before the passkey was added', async () => {
    const answer = await enterPassword();
    if (!('ticket' in answer)) throw new Error('an app was to be set up');
    const { ticket } = answer;
    const { secret, enrolment } = await visitor().session.beginEnrolment.mutate({ ticket });
    await addPasskey(theirs, origin);
    const code = codeOf(secret, clock.now());
    const refusal = await refusalOf(visitor().session.completeEnrolment.mutate({ ticket, enrolment, code }));
    expect(refusal).toMatchObject({ code: 'unauthenticated', message: secondFactorMessages.expired });
  });

  test('keeps one second factor, and the session in which another is removed', async () => {
    const { id } = await addPasskey(theirs, origin);
    const last = await refusalOf(theirs.users.removePasskey.mutate({ ...operation(), id }));
    expect(last).toMatchObject({ code: 'forbidden', message: secondFactorMessages.required });

    const { secret, enrolment } = await theirs.users.beginSecondFactor.mutate(operation());
    const code = codeOf(secret, clock.now());
    await theirs.users.addSecondFactor.mutate({ ...operation(), enrolment, code });
    expect((await theirs.users.mySecondFactor.query()).data).toMatchObject({
      ...{ isNeeded: true, passkeyHosts: ['localhost'] },
    });
    const earlier = await clientOf(manager);
    await theirs.users.removeSecondFactor.mutate(operation());
    await theirs.session.me.query();
    expect((await refusalOf(earlier.session.me.query())).code).toBe('unauthenticated');
    expect((await refusalOf(theirs.users.removePasskey.mutate({ ...operation(), id }))).code).toBe(
      'forbidden',
    );
  });

  test('an administrator or the operator removes it, for a lost phone', async () => {
    const admin = await clientOf(await createPerson(server.services, { role: 'admin' }));
    const stateOf = async () => (await admin.users.secondFactor.query({ userId: manager.id })).data;
    for (const reset of [
      () => admin.users.resetSecondFactor.mutate({ ...operation(), userId: manager.id }),
      () => resetSecondFactor(server.services, manager.id),
    ]) {
      const { authenticator } = await addPasskey(await clientOf(manager), origin);
      expect(await stateOf()).toEqual({ state: null, passkeys: 1 });
      await reset();
      const { data } = await admin.activity.list.query({ filter: {}, limit: 5 });
      expect(data.entries.map(({ changes }) => changes)).toContainEqual({ passkey: ['Phone', null] });
      expect(await stateOf()).toEqual({ state: null, passkeys: 0 });
      expect(await sessionsOf(manager)).toEqual([]);
      expect((await refusalOf(signInWith(authenticator))).code).toBe('unauthenticated');
      expect(await enterPassword()).toMatchObject({ step: 'enrol' });
    }
  });
});

test('where passwords are switched off, passkeys are too, but for the emergency administrator', async () => {
  const emergency = await createPerson(server.services, { role: 'admin', password: TEST_PASSWORD });
  const kept = await addPasskey(await clientOf(emergency), origin);
  const { authenticator } = await addPasskey(client, origin);
  const { settings } = server.services.signIn;
  const before = { passwords: settings.passwords, emergencyEmail: settings.emergencyEmail };
  Object.assign(settings, { passwords: 'emergency', emergencyEmail: emergency.email.toLowerCase() });
  try {
    expect((await refusalOf(signInWith(authenticator))).code).toBe('unauthenticated');
    expect(await client.session.reauthenticationOptions.query()).toMatchObject({ passkeyHosts: [] });
    expect((await client.users.myPasskeys.query()).data).toMatchObject({ isAllowed: false });
    expect((await refusalOf(client.users.beginPasskey.mutate(operation()))).code).toBe('forbidden');
    const { options, challenge } = await client.session.beginPasskeyReauthentication.mutate({});
    const again = { challenge, assertion: authenticator.sign(options) };
    expect(await refusalOf(client.session.reauthenticateWithPasskey.mutate(again))).toMatchObject({
      code: 'forbidden',
      message: passkeyMessages.notAllowed,
    });
    expect((await signInWith(kept.authenticator)).me.id).toBe(emergency.id);
  } finally {
    Object.assign(settings, before);
  }
});
