import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountLinks } from '#db/schema/accounts.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import { profiles, sessions } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { LINK_LIFE_MS, makeAccountLink } from '#server/accounts/account-links.ts';
import { SIGN_IN_DEFAULTS, type SignInSettings } from '#server/kernel/sign-in/sign-in-file.ts';
import { DAY_MS } from '#shared/dates.ts';
import { actionLabel } from '#shared/features/activity/activity.vocabulary.ts';
import { signInAddress } from '#shared/features/users/sign-in.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  TEST_PASSWORD,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, signedIn, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';
import { type CookieBrowser, createCookieBrowser } from '#tests/support/sign-in/browser.ts';
import {
  type AccountClaims,
  startTestProvider,
  type TestProvider,
} from '#tests/support/sign-in/oidc-provider.ts';

// Signing in at a real OpenID provider.

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A server with a provider of its own. */
function setUp(settings: Partial<SignInSettings> = {}, ofProvider: Partial<TestProvider['settings']> = {}) {
  const setting = {} as { server: TestServer; provider: TestProvider };
  beforeAll(async () => {
    setting.provider = await startTestProvider(ofProvider);
    const signIn = { ...SIGN_IN_DEFAULTS, ...settings, providers: [setting.provider.settings] };
    setting.server = await startTestServer(database, { signIn });
    setting.provider.serve(setting.server.url);
  });
  afterAll(async () => {
    await setting.server.stop();
    await setting.provider.stop();
  });
  return setting;
}

let accounts = 0;
/** Makes an account at the provider. */
function account(provider: TestProvider, claims: AccountClaims): string {
  accounts += 1;
  const id = `account-${accounts}`;
  provider.accounts.set(id, { email_verified: true, ...claims });
  return id;
}

function freshEmail(): string {
  accounts += 1;
  return `person-${accounts}@harbour.example`;
}

/** Signs in at the provider as an account, in a new browser. */
async function signIn(
  { server, provider }: ReturnType<typeof setUp>,
  as: string | undefined,
  next = '/dashboard',
) {
  provider.as = as;
  const browser = createCookieBrowser();
  const end = await browser.get(`${server.url}${signInAddress('harbour', next)}`);
  const url = new URL(end.url);
  return { browser, url, problem: url.searchParams.get('problem'), client: clientOf(server, browser) };
}

function clientOf(server: TestServer, browser: CookieBrowser) {
  return createTestClient(server.url, browser.cookies(`${server.url}/trpc/`));
}

async function invite(server: TestServer, email: string, buildingIds: string[] = []) {
  const admin = await createPerson(server.services, { role: 'admin' });
  const person = await createPerson(server.services, { role: 'operative', email, buildings: buildingIds });
  const { db } = server.services;
  await db.update(profiles).set({ invitedAt: new Date().toISOString() }).where(eq(profiles.id, person.id));
  const link = { userId: person.id, kind: 'invite', madeBy: admin.id } as const;
  await db.transaction((tx) => makeAccountLink(tx, link, server.services.clock.now(), LINK_LIFE_MS.invite));
  return { admin, person };
}

const BUSY = '/auth/login?problem=busy&provider=harbour&next=%2F';

/** The entries about a person in the Activity that have no actor, oldest first. */
async function toldOf(server: TestServer, userId: string): Promise<string[]> {
  const admin = await createPerson(server.services, { role: 'admin' });
  const client = createTestClient(server.url, await signInAs(server, admin));
  return vi.waitFor(async () => {
    const { data } = await client.activity.list.query({ filter: { entity: 'person' }, limit: 200 });
    const own = data.entries.filter(({ entityId, actorId }) => entityId === userId && actorId === null);
    expect(own).not.toEqual([]);
    return own.toReversed().map((entry) => `Lintel ${actionLabel(entry)}`);
  }, PATIENCE);
}

/** The kinds of a person's notices about their account, as another session of theirs sees them. */
async function noticesOf(server: TestServer, person: TestPerson): Promise<string[]> {
  const client = createTestClient(server.url, await signInAs(server, person));
  return (await client.users.myNotices.query()).data.map(({ kind }) => kind).sort();
}

const identitiesOf = (server: TestServer, userId: string) =>
  server.services.db.select().from(externalIdentities).where(eq(externalIdentities.userId, userId));

describe('with passwords beside it', () => {
  const setting = setUp();

  test('a person who was invited is in, and is known from then on by the account, not by the address', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { person } = await invite(server, email);
    const as = account(provider, { email: email.toUpperCase() });
    const first = await signIn(setting, as, '/building-issues?status=open');
    expect(first.url.href).toBe(`${server.url}/building-issues?status=open`);
    const { data: me } = await first.client.session.me.query();
    expect(me).toMatchObject({ id: person.id, role: 'operative' });
    expect(await identitiesOf(server, person.id)).toMatchObject([{ subject: as, linkedBy: 'invitation' }]);
    const [row] = await server.services.db.select().from(profiles).where(eq(profiles.id, person.id));
    expect(row?.invitedAt).toBeNull();

    provider.accounts.set(as, { email: freshEmail(), email_verified: false });
    const again = await signIn(setting, as);
    expect((await again.client.session.me.query()).data.id).toBe(person.id);
  });

  test('Activity says where the person signed in', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { admin, person } = await invite(server, email);
    await signIn(setting, account(provider, { email }));
    const client = createTestClient(server.url, await signInAs(server, admin));
    const { data } = await client.activity.list.query({ filter: { actorId: person.id } });
    expect(JSON.stringify(data)).toContain('with Harbour Group, from ');
  });

  test('a person with a password confirms it once', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const person = await createPerson(server.services, { role: 'manager', email, password: TEST_PASSWORD });
    const as = account(provider, { email });
    const first = await signIn(setting, as, '/compliance');
    expect(first.url.pathname).toBe('/auth/login');
    expect(Object.fromEntries(first.url.searchParams)).toEqual({
      problem: 'confirm',
      provider: 'harbour',
      next: '/compliance',
    });
    expect((await first.client.session.active.query()).active).toBe(false);

    const { linked } = await signedIn(
      first.client.session.signIn.mutate({
        email,
        password: TEST_PASSWORD,
        linking: 'harbour',
      }),
    );
    expect(linked).toBe('harbour');
    expect(await identitiesOf(server, person.id)).toMatchObject([{ subject: as, linkedBy: 'password' }]);
    expect(await noticesOf(server, person)).toEqual(['provider_linked']);
    const second = await signIn(setting, as);
    expect((await second.client.session.me.query()).data.id).toBe(person.id);
    expect((await second.client.users.myProviderAccounts.query()).data).toMatchObject([
      { provider: 'harbour', state: 'linked', linkedBy: 'password' },
    ]);
  });

  test('a sign-in that does not ask for it links nothing, although an account waits', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const person = await createPerson(server.services, { role: 'admin', email, password: TEST_PASSWORD });
    const { client } = await signIn(setting, account(provider, { email }));
    for (const linking of [undefined, 'other']) {
      const input = { email, password: TEST_PASSWORD, ...(linking !== undefined && { linking }) };
      expect((await signedIn(client.session.signIn.mutate(input))).linked).toBeNull();
    }
    expect(await identitiesOf(server, person.id)).toEqual([]);
  });

  test('another site cannot begin a sign-in', async () => {
    const start = `${setting.server.url}${signInAddress('harbour', '/x')}`;
    for (const site of ['cross-site', 'same-site']) {
      const answer = await fetch(start, { headers: { 'sec-fetch-site': site }, redirect: 'manual' });
      expect(answer.headers.get('location')).toBe('/auth/login?next=%2Fx');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('a person without a password needs an administrator, whose permission counts for a week', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const person = await createPerson(server.services, { role: 'viewer', email });
    const admin = await createPerson(server.services, { role: 'admin' });
    const asAdmin = createTestClient(server.url, await signInAs(server, admin));
    const as = account(provider, { email });
    expect((await signIn(setting, as)).problem).toBe('ask_administrator');
    const allow = () =>
      asAdmin.users.allowProvider.mutate({ operationId: uuidv7(), userId: person.id, provider: 'harbour' });
    await allow();
    const old = new Date(Date.now() - 8 * DAY_MS).toISOString();
    await server.services.db
      .update(externalIdentities)
      .set({ createdAt: old })
      .where(eq(externalIdentities.userId, person.id));
    expect((await signIn(setting, as)).problem).toBe('ask_administrator');
    await allow();
    expect((await signIn(setting, as)).problem).toBeNull();
    expect(await identitiesOf(server, person.id)).toMatchObject([{ subject: as, linkedBy: 'administrator' }]);
    expect(await noticesOf(server, person)).toEqual([
      'provider_allowed',
      'provider_allowed',
      'provider_linked',
    ]);
  });

  test('an invitation that has expired lets nobody in; a new one does', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { admin, person } = await invite(server, email);
    const { db } = server.services;
    const past = new Date(Date.now() - 1_000).toISOString();
    await db.update(accountLinks).set({ expiresAt: past }).where(eq(accountLinks.userId, person.id));
    const as = account(provider, { email });
    expect((await signIn(setting, as)).problem).toBe('invitation_expired');
    expect(await identitiesOf(server, person.id)).toEqual([]);
    const asAdmin = createTestClient(server.url, await signInAs(server, admin));
    await asAdmin.users.makeLink.mutate({ operationId: uuidv7(), userId: person.id });
    expect((await signIn(setting, as)).problem).toBeNull();
  });

  test('a person who was invited and allowed is in, too', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { admin, person } = await invite(server, email);
    const asAdmin = createTestClient(server.url, await signInAs(server, admin));
    await asAdmin.users.allowProvider.mutate({
      operationId: uuidv7(),
      userId: person.id,
      provider: 'harbour',
    });
    expect((await signIn(setting, account(provider, { email }))).problem).toBeNull();
  });

  const ENDS = {
    'the role': (client: TestClient, userId: string) =>
      client.users.setRole.mutate({ operationId: uuidv7(), userId, role: 'viewer' }),
    'the account': (client: TestClient, userId: string) =>
      client.users.setActive.mutate({ operationId: uuidv7(), userId, active: false }),
  };
  test.each(Object.entries(ENDS))(
    'permissions end with %s of the administrator who gave them',
    async (_, end) => {
      const { server, provider } = setting;
      const email = freshEmail();
      const person = await createPerson(server.services, { role: 'viewer', email });
      const [admin, other] = [
        await createPerson(server.services, { role: 'admin' }),
        await createPerson(server.services, { role: 'admin' }),
      ];
      const clientFor = async (who: { id: string; role: string | null }) =>
        createTestClient(server.url, await signInAs(server, who));
      const input = { operationId: uuidv7(), userId: person.id, provider: 'harbour' };
      await (await clientFor(admin)).users.allowProvider.mutate(input);
      await end(await clientFor(other), admin.id);
      expect((await signIn(setting, account(provider, { email }))).problem).toBe('ask_administrator');
    },
  );

  test('of two tabs the later one signs in', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    await invite(server, email);
    provider.as = account(provider, { email });
    const browser = createCookieBrowser();
    const start = `${server.url}${signInAddress('harbour', '/later')}`;
    const { visited } = await createCookieBrowser().get(start);
    const callbackOfAnother = visited.find((url) => url.includes('/callback')) ?? '';
    const away = await browser.getOnce(start);
    // The first tab returns with the response to its own flow, while the cookie belongs to the second.
    const { url: first } = await browser.get(callbackOfAnother);
    expect(new URL(first).searchParams.get('problem')).toBe('expired');
    expect((await browser.get(away)).url).toBe(`${server.url}/later`);
  });

  test('the password of another person confirms nothing', async () => {
    const { server, provider } = setting;
    const [email, other] = [freshEmail(), freshEmail()];
    const person = await createPerson(server.services, { role: 'admin', email, password: TEST_PASSWORD });
    const attacker = await createPerson(server.services, {
      role: 'viewer',
      email: other,
      password: TEST_PASSWORD,
    });
    const { client } = await signIn(setting, account(provider, { email }));
    const input = { email: other, password: TEST_PASSWORD, linking: 'harbour' };
    const { linked } = await signedIn(client.session.signIn.mutate(input));
    expect(linked).toBeNull();
    expect(await identitiesOf(server, person.id)).toEqual([]);
    expect(await identitiesOf(server, attacker.id)).toEqual([]);
  });

  test('a second account with the same address gets nobody’s sign-in', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { person } = await invite(server, email);
    await signIn(setting, account(provider, { email }));
    const { problem, client } = await signIn(setting, account(provider, { email }));
    expect(problem).toBe('linked_otherwise');
    expect((await client.session.active.query()).active).toBe(false);
    expect(await identitiesOf(server, person.id)).toHaveLength(1);
  });

  test.each([
    ['an address that is not verified', { email_verified: false }, 'email_unverified'],
    ['no address', { email: '' }, 'email_unverified'],
    ['an address that is none', { email: 'ada' }, 'email_unverified'],
    ['an address of nobody', { email: 'nobody@harbour.example' }, 'not_invited'],
  ])('%s is refused', async (_what, claims, problem) => {
    const { server, provider } = setting;
    const email = freshEmail();
    await invite(server, email);
    const refused = await signIn(setting, account(provider, { email, ...claims }));
    expect(refused.problem).toBe(problem);
    expect((await refused.client.session.active.query()).active).toBe(false);
    expect(server.logged.join('')).not.toContain(email);
  });

  test('a person who was deactivated is refused, before and after the link', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { person } = await invite(server, email);
    const as = account(provider, { email });
    await signIn(setting, as);
    const at = new Date().toISOString();
    await server.services.db.update(profiles).set({ deactivatedAt: at }).where(eq(profiles.id, person.id));
    expect((await signIn(setting, as)).problem).toBe('inactive');
    const other = freshEmail();
    await createPerson(server.services, { role: 'viewer', email: other, deactivatedAt: at });
    expect((await signIn(setting, account(provider, { email: other }))).problem).toBe('inactive');
  });

  test('a person may cancel', async () => {
    expect((await signIn(setting, undefined)).problem).toBe('cancelled');
  });

  test('leads to no other site', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    await invite(server, email);
    const as = account(provider, { email });
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'evil', '/a\nb', '']) {
      const { url } = await signIn(setting, as, next);
      expect(url.href, next).toBe(`${server.url}/`);
    }
  });

  test('an answer counts once, and only in the browser that has asked', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    await invite(server, email);
    provider.as = account(provider, { email });
    const browser = createCookieBrowser();
    const { visited } = await browser.get(`${server.url}${signInAddress('harbour', '/')}`);
    const callback = visited.find((url) => url.includes('/callback')) ?? '';
    for (const other of [browser, createCookieBrowser()]) {
      const { url } = await other.get(callback);
      expect(new URL(url).searchParams.get('problem')).toBe('expired');
    }
    const unknown = await browser.get(`${server.url}/sign-in/unknown/start`);
    expect(new URL(unknown.url).searchParams.get('problem')).toBe('expired');
  });

  test('the sign-out at the provider ends the session, and that one alone', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const { person } = await invite(server, email);
    const as = account(provider, { email });
    const [one, two] = [await signIn(setting, as), await signIn(setting, as)];
    const stay = createTestClient(server.url, await signInAs(server, person));
    await provider.signOut(one.browser);
    expect((await one.client.session.active.query()).active).toBe(false);
    expect((await two.client.session.active.query()).active).toBe(true);
    expect((await stay.session.active.query()).active).toBe(true);
  });

  test('a logout token that is none is refused', async () => {
    const { server } = setting;
    const { db } = server.services;
    const before = await db.select().from(sessions);
    for (const body of ['', 'logout_token=', 'logout_token=a.b.c', `logout_token=${'x'.repeat(100_000)}`]) {
      const answer = await fetch(`${server.url}/sign-in/harbour/logout`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([400, 413]).toContain(answer.status);
    }
    expect(await db.select().from(sessions)).toHaveLength(before.length);
  });
});

describe('for people whom nobody has invited', () => {
  const setting = setUp({}, { newPeople: { role: 'viewer' } });

  test('makes a person with the default role and no location', async () => {
    const email = freshEmail();
    const as = account(setting.provider, { email, given_name: 'Zoë', family_name: 'Marsh' });
    const { client } = await signIn(setting, as);
    const { data: me } = await client.session.me.query();
    expect(me).toMatchObject({ email, firstName: 'Zoë', lastName: 'Marsh', role: 'viewer', buildings: [] });
  });

  // Providers send the time only if a maximum age is requested.
  test('an ordinary sign-in brings the time of authentication', async () => {
    const { problem } = await signIn(setting, account(setting.provider, { email: freshEmail() }));
    expect(problem).toBeNull();
    const admin = await createPerson(setting.server.services, { role: 'admin' });
    const client = createTestClient(setting.server.url, await signInAs(setting.server, admin));
    expect((await client.session.signInStatus.query()).providers).toMatchObject([
      { isWithoutAuthTime: false },
    ]);
  });

  test('makes one person, however many browsers come at once', async () => {
    const email = freshEmail();
    const as = account(setting.provider, { email });
    const all = await Promise.all([1, 2, 3, 4].map(() => signIn(setting, as)));
    expect(all.map(({ problem }) => problem)).toEqual([null, null, null, null]);
    const ids = await Promise.all(all.map(async ({ client }) => (await client.session.me.query()).data.id));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('with roles and locations by claims', () => {
  const setting = setUp(
    {},
    {
      newPeople: { role: 'viewer' },
      roles: {
        claim: 'groups',
        values: { 'lintel-admins': 'admin', 'site-managers': 'manager', cleaners: 'operative' },
      },
      locations: { claim: 'sites' },
    },
  );

  test('sets both at each sign-in', async () => {
    const { server, provider } = setting;
    const [one, two] = [
      await createBuilding(server.services, { code: 'HAR' }),
      await createBuilding(server.services, { code: 'QUA' }),
    ];
    const email = freshEmail();
    const as = account(provider, {
      email,
      groups: ['cleaners', 'site-managers', 'else'],
      sites: ['HAR', 'NONE'],
    });
    const first = await signIn(setting, as);
    const { data: me } = await first.client.session.me.query();
    expect(me).toMatchObject({ role: 'manager', buildings: [one.id] });

    provider.accounts.set(as, { email, email_verified: true, groups: ['cleaners'], sites: ['QUA'] });
    const second = await signIn(setting, as);
    expect((await second.client.session.me.query()).data).toMatchObject({
      role: 'operative',
      buildings: [two.id],
    });
    // A change that the provider decides has no actor.
    expect(await toldOf(server, me.id)).toEqual([
      'Lintel added, by the organisation’s sign-in,',
      'Lintel set, by the organisation’s sign-in, the access of',
      'Lintel set, by the organisation’s sign-in, the access of',
    ]);
    // The sessions that were open before have the change, too.
    expect((await first.client.session.me.query()).data).toMatchObject({
      role: 'operative',
      buildings: [two.id],
    });
  });

  test('takes role, buildings and sessions from a person who is in none of the groups any more', async () => {
    const { server, provider } = setting;
    const email = freshEmail();
    const building = await createBuilding(server.services);
    await createPerson(server.services, { role: 'admin' });
    const as = account(provider, { email, groups: ['lintel-admins'], sites: [building.code] });
    const first = await signIn(setting, as);
    const { data: me } = await first.client.session.me.query();
    expect(me.role).toBe('admin');
    provider.accounts.set(as, { email, email_verified: true, groups: [] });
    expect((await signIn(setting, as)).problem).toBe('no_role');
    expect((await first.client.session.active.query()).active).toBe(false);
    const again = createTestClient(server.url, await signInAs(server, { id: me.id, role: 'viewer' }));
    expect((await again.session.me.query()).data).toMatchObject({ role: 'viewer', buildings: [] });
    expect(await toldOf(server, me.id)).toContain(
      'Lintel revoked, by the organisation’s sign-in, the access of',
    );
  });

  test('a building that is archived when it is taken away does not come back with it', async () => {
    const { server, provider } = setting;
    const { db } = server.services;
    const building = await createBuilding(server.services, { code: 'ARC' });
    const email = freshEmail();
    const as = account(provider, { email, groups: ['cleaners'], sites: ['ARC'] });
    const first = await signIn(setting, as);
    expect((await first.client.session.me.query()).data.buildings).toEqual([building.id]);
    const archive = (archivedAt: string | null) =>
      db.update(buildings).set({ archivedAt }).where(eq(buildings.id, building.id));
    await archive(new Date().toISOString());
    provider.accounts.set(as, { email, email_verified: true, groups: ['cleaners'], sites: [] });
    await signIn(setting, as);
    await archive(null);
    const later = await signIn(setting, as);
    expect((await later.client.session.me.query()).data.buildings).toEqual([]);
  });

  test('refuses a person without a role, and makes none', async () => {
    const email = freshEmail();
    const { problem } = await signIn(setting, account(setting.provider, { email, groups: ['else'] }));
    expect(problem).toBe('no_role');
    const rows = await setting.server.services.db.select().from(profiles).where(eq(profiles.email, email));
    expect(rows).toEqual([]);
  });
});

describe('with passwords for emergencies only', () => {
  const emergencyEmail = 'emergency@harbour.example';
  const setting = setUp({ passwords: 'emergency', emergencyEmail });
  beforeEach(() => setting.server.services.db.delete(sessions));

  test('nobody else signs in with a password, or chooses one', async () => {
    const { server, provider } = setting;
    const client = createTestClient(server.url);
    const email = freshEmail();
    const person = await createPerson(server.services, { role: 'manager', email, password: TEST_PASSWORD });
    await createPerson(server.services, { role: 'admin', email: emergencyEmail, password: TEST_PASSWORD });
    expect(await client.session.options.query()).toEqual({
      byMail: false,
      passwords: 'emergency',
      providers: [{ id: 'harbour', name: 'Harbour Group' }],
    });
    const refusal = 'Passwords are switched off. Sign in with Harbour Group.';
    const byPassword = await refusalOf(client.session.signIn.mutate({ email, password: TEST_PASSWORD }));
    expect(byPassword.message).toBe(refusal);
    const own = createTestClient(server.url, await signInAs(server, person));
    const change = { current: TEST_PASSWORD, password: `${TEST_PASSWORD} new` };
    expect((await refusalOf(own.session.changePassword.mutate(change))).message).toBe(refusal);
    const { me } = await signedIn(
      client.session.signIn.mutate({ email: emergencyEmail, password: TEST_PASSWORD }),
    );
    expect(me.role).toBe('admin');

    const emergency = createTestClient(server.url, await signInAs(server, { id: me.id, role: 'admin' }));
    const operation = () => ({ operationId: uuidv7(), userId: me.id });
    const other = await createPerson(server.services, { role: 'admin' });
    const asOther = createTestClient(server.url, await signInAs(server, other));
    for (const attempt of [
      () => asOther.users.setRole.mutate({ ...operation(), role: 'viewer' }),
      () => asOther.users.setActive.mutate({ ...operation(), active: false }),
    ]) {
      expect((await refusalOf(attempt())).message).toMatch(/^This administrator alone/);
    }
    expect((await emergency.session.me.query()).data.role).toBe('admin');

    // Links to a new password lead to the provider, except for the emergency administrator.
    for (const [userId, byProviderOnly] of [
      [me.id, false],
      [person.id, true],
    ] as const) {
      const made = await asOther.users.makeLink.mutate({ operationId: uuidv7(), userId });
      const token = made.token ?? '';
      expect((await client.session.link.mutate({ token })).byProviderOnly).toBe(byProviderOnly);
      if (!byProviderOnly) continue;
      const follow = client.session.followLink.mutate({ token, password: `${TEST_PASSWORD} new` });
      expect((await refusalOf(follow)).message).toBe(refusal);
    }

    // The person can no longer confirm the link with a password, so an administrator must allow it.
    expect((await signIn(setting, account(provider, { email }))).problem).toBe('ask_administrator');
  });
});

describe('while the provider is down', () => {
  const setting = setUp();

  test('says so, and passwords go on', async () => {
    const { server, provider } = setting;
    await provider.stop();
    expect((await signIn(setting, 'someone')).problem).toBe('provider_down');
    const email = freshEmail();
    await createPerson(server.services, { role: 'viewer', email, password: TEST_PASSWORD });
    await createTestClient(server.url).session.signIn.mutate({ email, password: TEST_PASSWORD });
  });
});

describe('over the limit', () => {
  const setting = setUp();

  test('a person sees the sign-in page, which says so', async () => {
    const callback = `${setting.server.url}/sign-in/harbour/callback`;
    const locations = new Set<string | null>();
    for (let tries = 0; tries < 1_000 && !locations.has(BUSY); tries += 1) {
      locations.add((await fetch(callback, { redirect: 'manual' })).headers.get('location'));
    }
    expect([...locations]).toEqual([BUSY.replace('busy', 'expired'), BUSY]);
  });
});
