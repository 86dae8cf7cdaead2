import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { resetPassword } from '#server/boot/operator.ts';
import { actionLabel } from '#shared/features/activity/activity.vocabulary.ts';
import { noticeText } from '#shared/features/users/notice-text.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Taking over another person's account never goes unnoticed: the Activity and the person's own screen show it.

const GOOD = 'a-password-of-my-own';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

let database: TestDatabase;
let server: TestServer;
let admin: TestPerson;
let asAdmin: TestClient;
let person: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  admin = await createPerson(server.services, { role: 'admin', firstName: 'Ada', lastName: 'Admin' });
  asAdmin = createTestClient(server.url, await signInAs(server, admin));
});
beforeEach(async () => {
  const values = { role: 'manager', password: TEST_PASSWORD, firstName: 'Max', lastName: 'Manager' };
  person = await createPerson(server.services, values);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });

/**
 * Calls a procedure as a browser does.
 * @returns a client with the session's cookie
 */
async function enter(path: string, input: object, url = server.url): Promise<TestClient> {
  const response = await fetch(`${url}/trpc/${path}`, {
    method: 'POST',
    headers: { ...headersFor(url), 'content-type': 'application/json', 'user-agent': CHROME },
    body: JSON.stringify(input),
  });
  expect(response.status).toBe(200);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return createTestClient(url, cookies.join('; '));
}

const told = async (client: TestClient) => (await client.users.myNotices.query()).data;

describe('an administrator who becomes another person with a link of their own making', () => {
  test('stands in the Activity with name and address, and cannot keep it from the person', async () => {
    const own = createTestClient(server.url, await signInAs(server, person));
    const { token = '' } = await asAdmin.users.makeLink.mutate({ ...operation(), userId: person.id });
    expect((await told(own)).map(noticeText)).toEqual([
      'Ada Admin made a one-time link that can set a new password for your account.',
    ]);
    expect(await told(asAdmin)).toEqual([]);

    const posing = await enter('session.followLink', { token, password: GOOD });
    const said = await vi.waitFor(async () => {
      const { data } = await asAdmin.activity.list.query({ filter: { entity: 'signIn' }, limit: 1 });
      const [entry] = data.entries;
      expect(entry?.actorId).toBe(person.id);
      return entry && `${data.names[person.id]} ${actionLabel(entry)} ${entry.subject}`;
    }, PATIENCE);
    expect(said).toBe(
      'Max Manager signed in with a one-time link made by Ada Admin, followed from 127.0.0.1 (Chrome on Windows)',
    );

    // The session that set the password cannot dismiss the notices about it.
    const ids = (await told(posing)).map(({ id }) => id);
    const later = createTestClient(server.url, await signInAs(server, person));
    const notices = await told(later);
    expect(notices.map(noticeText)).toEqual([
      'Your password was set through a one-time link made by Ada Admin, followed from 127.0.0.1 (Chrome on Windows).',
      'Ada Admin made a one-time link that can set a new password for your account.',
    ]);
    expect(ids).not.toContain(notices[0]?.id);
    const all = notices.map(({ id }) => id);
    await posing.users.dismissNotices.mutate({ ...operation(), ids: all });
    expect((await told(later)).map(({ id }) => id)).toContain(notices[0]?.id);
    await later.users.dismissNotices.mutate({ ...operation(), ids: all });
    expect(await told(later)).toEqual([]);
  });
});

describe('a notice', () => {
  test('is its person’s alone: no other person sees it or dismisses it', async () => {
    await resetPassword(server.services, person.id, GOOD);
    const own = createTestClient(server.url, await signInAs(server, person));
    const [notice] = await told(own);
    expect(notice && noticeText(notice)).toBe('Your password was changed by the operator of this server.');
    expect((await told(asAdmin)).map(({ id }) => id)).not.toContain(notice?.id);
    await asAdmin.users.dismissNotices.mutate({ ...operation(), ids: [notice?.id ?? ''] });
    expect(await told(own)).toEqual([notice]);
  });

  test('of a changed password is for the other devices, and goes out by mail where mail is set', async () => {
    const mail = memoryMail();
    const publicUrl = 'http://lintel.test';
    const mailing = await startTestServer(database, { mail, env: { publicUrl, allowInsecureHttp: true } });
    const cookie = await signInAs(server, person);
    const response = await fetch(`${mailing.url}/trpc/session.changePassword`, {
      method: 'POST',
      headers: {
        ...headersFor(publicUrl, cookie),
        'content-type': 'application/json',
        'user-agent': CHROME,
      },
      body: JSON.stringify({ current: TEST_PASSWORD, password: GOOD }),
    });
    expect(response.status).toBe(200);
    await mailing.stop();
    const letter = mail.sent.find(({ to }) => to === person.email);
    expect(letter?.subject).toBe('Your Lintel password was changed');
    expect(letter?.text).toContain('Your password was changed from 127.0.0.1 (Chrome on Windows).');
    expect(letter?.text).toContain(`${publicUrl}/account`);
    const elsewhere = createTestClient(server.url, await signInAs(server, person));
    expect((await told(elsewhere)).map(({ kind }) => kind)).toEqual(['password_changed']);
  });
});
