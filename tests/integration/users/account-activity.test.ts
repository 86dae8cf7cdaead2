import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeSetupCode } from '#server/accounts/setup-code.ts';
import { resetPassword, resetSecondFactor } from '#server/boot/operator.ts';
import type { ActivityPage } from '#shared/features/activity/activity.ts';
import { actionLabel, describeChanges } from '#shared/features/activity/activity.vocabulary.ts';
import type { TotpEnrolment } from '#shared/features/users/second-factor.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { type TestClock, testClock } from '#tests/support/server/clock.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { codeOf } from '#tests/support/sign-in/authenticator-app.ts';
import { addPasskey, atHostName } from '#tests/support/sign-in/passkeys.ts';
import { UNREACHED_PROVIDER, WITH_UNREACHED_PROVIDER } from '#tests/support/sign-in/unreached-provider.ts';

// The Activity shows every change of an account and none of its secrets.

const ADDED = '2-step verification: null → Authenticator app';
const REMOVED = '2-step verification: Authenticator app → null';
/**
 * Expected Activity lines by command: the actor with their current name, the subject with the name at the time. A
 * command without an entry here fails the test.
 */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'session.setup': [
    'Ada Smith | set Lintel up and became | Ada Smith',
    'Ada Smith | signed in | from 127.0.0.1 (Unknown device)',
  ],
  'users.setRole': [
    'Ada Smith | changed the role of | Ada Smith | Role: Viewer → Admin',
    'Ada Smith | changed the role of | Maxim Jones | Role: Viewer → Operative',
  ],
  'users.invite': ['Ada Smith | invited | Max Jones'],
  'users.makeLink': [
    'Ada Smith | made a one-time link for | Max Jones | One-time link: null → Invitation',
    'Ada Smith | made a one-time link for | Max Jones | One-time link: null → New password',
  ],
  'session.followLink': [
    'Maxim Jones | accepted the invitation of | Max Jones | Invited: a moment → null',
    'Maxim Jones | signed in with a one-time | link made by Ada Smith, followed from 127.0.0.1 (Unknown device)',
    'Maxim Jones | ended their earlier sessions',
    'Maxim Jones | used a one-time link to set the password of | Max Jones',
    'Maxim Jones | signed in with a one-time | link made by Ada Smith, followed from 127.0.0.1 (Unknown device)',
  ],
  'session.signIn': [
    'Maxim Jones | was signed out by another sign-in in the same browser',
    'Maxim Jones | signed in | from 127.0.0.1 (Unknown device)',
    'Maxim Jones | signed in | from 127.0.0.1 (Unknown device)',
  ],
  'session.completeEnrolment': [`Maxim Jones | turned on 2-step verification of | Maxim Jones | ${ADDED}`],
  'users.addSecondFactor': [
    'Ada Smith | ended their sessions without 2-step verification',
    `Ada Smith | turned on 2-step verification of | Ada Smith | ${ADDED}`,
    `Maxim Jones | turned on 2-step verification of | Maxim Jones | ${ADDED}`,
  ],
  'users.removeSecondFactor': [`Ada Smith | turned off 2-step verification of | Ada Smith | ${REMOVED}`],
  'users.addPasskey': ['Ada Smith | added a passkey of | Ada Smith | Passkey: null → Phone'],
  'users.renamePasskey': ['Ada Smith | renamed a passkey of | Ada Smith | Passkey: Phone → Work phone'],
  'users.removePasskey': ['Ada Smith | removed a passkey of | Ada Smith | Passkey: Work phone → null'],
  'users.resetSecondFactor': [
    'Ada Smith | ended sessions of | Maxim Jones',
    `Ada Smith | reset 2-step verification of | Maxim Jones | ${REMOVED}`,
  ],
  'admin.resetSecondFactor': [
    'Lintel | ended sessions of | Maxim Jones',
    `Lintel | reset 2-step verification of | Maxim Jones | ${REMOVED}`,
  ],
  'session.changePassword': [
    'Maxim Jones | ended their other sessions',
    'Maxim Jones | changed the password of | Max Jones',
    'Maxim Jones | changed the password of | Max Jones',
  ],
  'users.renameMe': ['Maxim Jones | changed the name of | Maxim Jones | First name: Max → Maxim'],
  'users.endMySession': ['Maxim Jones | ended one of their own sessions'],
  'session.signOut': ['Maxim Jones | signed out'],
  'users.grant': ['Ada Smith | gave building access to | Maxim Jones | Location access: null → Old Mill'],
  'users.revoke': [
    'Ada Smith | removed building access from | Maxim Jones | Location access: Old Mill → null',
  ],
  'users.setAccess': [
    'Ada Smith | changed the location access of | Maxim Jones | Location access: null → Old Mill',
    'Ada Smith | changed the location access of | Maxim Jones | Location access: Old Mill → null',
  ],
  'users.endSessions': [
    'Ada Smith | ended sessions of | Maxim Jones',
    'Ada Smith | ended their own sessions',
  ],
  'users.setActive': [
    'Ada Smith | deactivated | Maxim Jones | Deactivated: null → a moment',
    'Ada Smith | ended sessions of | Maxim Jones',
    'Ada Smith | reactivated | Maxim Jones | Deactivated: a moment → null',
  ],
  'users.allowProvider': [
    'Ada Smith | allowed an organisation’s account for | Maxim Jones | Sign-in allowed with: null → Harbour Group',
  ],
  'users.unlinkProvider': [
    'Ada Smith | unlinked the organisation’s account of | Maxim Jones | Sign-in with: Harbour Group → null',
  ],
  'admin.resetPassword': [
    'Lintel | ended sessions of | Maxim Jones',
    'Lintel | changed the password of | Maxim Jones',
  ],
};
/**
 * Commands that record nothing: requesting a link is open to all and changes nothing, and using a session is not an
 * action.
 */
const NOTHING_TO_SAY = [
  'session.forgotPassword',
  'session.touch',
  'session.reauthenticate',
  // The sign-in itself is in the Activity.
  'session.completeSignIn',
  'session.beginEnrolment',
  'session.beginPasskeySignIn',
  'session.signInWithPasskey',
  'session.beginPasskeyReauthentication',
  'session.reauthenticateWithPasskey',
  'users.beginSecondFactor',
  'users.beginPasskey',
  'users.makeRecoveryCodes',
  'users.dismissNotices',
  'session.link',
];

const secrets: string[] = [];
let database: TestDatabase;
let clock: TestClock;
let server: TestServer;
let visitor: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = testClock();
  const signIn = { ...WITH_UNREACHED_PROVIDER, secondFactor: ['operative' as const] };
  server = await startTestServer(database, { clock, signIn });
  visitor = createTestClient(server.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
function secret(): string {
  const made = randomBytes(32).toString('base64url');
  secrets.push(made);
  return made;
}

/** The first code of an authenticator app with its new secret. */
function proofOf({ secret: made, enrolment }: TotpEnrolment) {
  secrets.push(made);
  return { enrolment, code: codeOf(made, clock.now()) };
}

test('every change of an account is told in words, and none of its secrets', async () => {
  const { services } = server;
  const mill = await createBuilding(services, { name: 'Old Mill' });
  const code = await makeSetupCode(services.db, clock.now().toISOString());
  const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Smith', password: secret() };
  const done = await visitor.session.setup.mutate({ start: 'empty', code, ...ada });
  if (done.started !== 'empty') throw new Error('the installation was to be empty');
  const adaId = done.me.id;
  const clientOf = async (id: string) =>
    createTestClient(server.url, await signInAs(server, { id, role: null }));
  const asAda = await clientOf(adaId);
  await asAda.users.setRole.mutate({ ...operation(), userId: adaId, role: 'admin', setupCode: code });

  const max = { id: uuidv7(), email: 'max@example.com', firstName: 'Max', lastName: 'Jones' };
  const invited = { ...operation(), ...max, role: 'viewer' as const, buildingIds: [] };
  secrets.push((await asAda.users.invite.mutate(invited)).token ?? '');
  for (const _kind of ['invite', 'reset']) {
    const { token = '' } = await asAda.users.makeLink.mutate({ ...operation(), userId: max.id });
    secrets.push(token);
    await visitor.session.followLink.mutate({ token, password: secret() });
  }
  let password = secrets.at(-1) ?? '';
  const asMax = await clientOf(max.id);
  for (const next of [secret(), secret()]) {
    await asMax.session.changePassword.mutate({ current: password, password: next });
    password = next;
  }
  await (await clientOf(max.id)).session.signIn.mutate({ email: max.email, password });
  await asMax.users.renameMe.mutate({ ...operation(), firstName: 'Maxim', lastName: 'Jones' });
  const other = (await asMax.users.mySessions.query()).data.find(({ current }) => !current);
  await asMax.users.endMySession.mutate({ ...operation(), sessionId: other?.id ?? '' });
  await asMax.session.signOut.mutate({});

  const building = { userId: max.id, buildingId: mill.id };
  await asAda.users.grant.mutate({ ...operation(), ...building });
  await asAda.users.revoke.mutate({ ...operation(), ...building });
  for (const granted of [true, false]) {
    const input = { userId: max.id, buildingIds: [mill.id], granted };
    await asAda.users.setAccess.mutate({ ...operation(), ...input });
  }
  const provider = { userId: max.id, provider: UNREACHED_PROVIDER.id };
  await asAda.users.allowProvider.mutate({ ...operation(), ...provider });
  await asAda.users.unlinkProvider.mutate({ ...operation(), ...provider });
  await asAda.users.endSessions.mutate({ ...operation(), userId: max.id });
  for (const active of [false, true]) {
    await asAda.users.setActive.mutate({ ...operation(), userId: max.id, active });
  }
  await asAda.users.setRole.mutate({ ...operation(), userId: max.id, from: 'viewer', role: 'operative' });
  const step = await visitor.session.signIn.mutate({ email: max.email, password });
  if (!('ticket' in step)) throw new Error('an operative needs a second factor here');
  const { ticket } = step;
  const enrolled = await visitor.session.completeEnrolment.mutate({
    ticket,
    ...proofOf(await visitor.session.beginEnrolment.mutate({ ticket })),
  });
  const { recoveryCodes } = await (await clientOf(max.id)).users.makeRecoveryCodes.mutate(operation());
  secrets.push(...enrolled.recoveryCodes, ...(recoveryCodes ?? []));
  await asAda.users.resetSecondFactor.mutate({ ...operation(), userId: max.id });
  for (const client of [asAda, await clientOf(max.id)]) {
    const proof = proofOf(await client.users.beginSecondFactor.mutate(operation()));
    secrets.push(
      ...((await client.users.addSecondFactor.mutate({ ...operation(), ...proof })).recoveryCodes ?? []),
    );
  }
  await asAda.users.removeSecondFactor.mutate(operation());
  const origin = atHostName(server.url);
  const atHost = createTestClient(origin, await signInAs(server, { id: adaId, role: null }));
  const { id, authenticator } = await addPasskey(atHost, origin);
  secrets.push(authenticator.credentialId);
  await atHost.users.renamePasskey.mutate({ ...operation(), id, name: 'Work phone' });
  await atHost.users.removePasskey.mutate({ ...operation(), id });
  await resetSecondFactor(services, max.id);
  await resetPassword(services, max.id, secret());
  await asAda.users.endSessions.mutate({ ...operation(), userId: adaId });

  const reader = await clientOf(adaId);
  const said = await vi.waitFor(async () => {
    const { data } = await reader.activity.list.query({ filter: {}, limit: 200 });
    expect(data.entries[0]?.command).toBe('users.endSessions');
    return inWords(data);
  }, PATIENCE);
  const mutations = PROCEDURES.filter(
    ({ path, type }) => /^(users|session)\./.test(path) && type === 'mutation',
  ).map(({ path }) => path);
  expect(Object.keys(SAID)).toEqual(
    expect.arrayContaining(mutations.filter((path) => !NOTHING_TO_SAY.includes(path))),
  );
  expect(said).toEqual(SAID);

  for (const table of ['events', 'event_payloads', 'outbox', 'applied_operations']) {
    const rows = JSON.stringify(
      await services.db.execute(sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t`),
    );
    expect(secrets.filter((each) => rows.includes(each))).toEqual([]);
    expect(rows).not.toMatch(/argon|scrypt|password_?hash/i);
  }
});

const MOMENT = /\w+ \d+, \d{4} \d\d:\d\d/;

/** Returns the Activity as text by command, oldest first. */
function inWords({ entries, names }: ActivityPage): Record<string, string[]> {
  const said: Record<string, string[]> = {};
  for (const entry of entries.toReversed()) {
    const changes = describeChanges(entry, names).map(({ label, from, to }) =>
      `${label}: ${from} → ${to}`.replace(MOMENT, 'a moment'),
    );
    const who = entry.actorId === null ? 'Lintel' : names[entry.actorId];
    const sentence = [who, actionLabel(entry), entry.subject, ...changes].filter((part) => part !== null);
    said[entry.command] = [...(said[entry.command] ?? []), sentence.join(' | ')];
  }
  return said;
}
