import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { userRoles } from '#db/schema/people.ts';
import { lockAdministration } from '#server/accounts/setup-code.ts';
import { memoryMail } from '#server/adapters/mail/memory.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { createPerson, signInAs, TEST_PASSWORD, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { upload } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const GOOD = 'a-password-of-my-own';
const MAILING = { publicUrl: 'http://lintel.test', allowInsecureHttp: true };

let database: TestDatabase;
let server: TestServer;
/** Connects as the schema's owner, to hold locks in the middle of concurrent calls. */
let owner: DatabaseClient;
let asAdmin: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  owner = connect(database.ownerUrl, { max: 3 });
  asAdmin = await clientOf(await newPerson('admin'));
});
afterAll(async () => {
  await owner.close();
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const newPerson = (role: 'admin' | 'manager' | 'viewer') =>
  createPerson(server.services, { role, password: TEST_PASSWORD });
const clientOf = async (person: TestPerson) => createTestClient(server.url, await signInAs(server, person));
const visitor = () => createTestClient(server.url);

async function linkFor(person: TestPerson, by: TestClient = asAdmin): Promise<string> {
  const { token = '' } = await by.users.makeLink.mutate({ ...operation(), userId: person.id });
  return token;
}
function invitation() {
  const id = uuidv7();
  const name = { firstName: 'Ines', lastName: 'Invited' };
  return {
    ...operation(),
    id,
    email: `${id}@example.com`,
    ...name,
    role: 'viewer' as const,
    buildingIds: [],
  };
}
const follow = (token: string, client = visitor()) =>
  client.session.followLink.mutate({ token, password: GOOD });

/** Resolves once a statement of the server waits for a lock. */
const waiting = () =>
  vi.waitFor(async () => {
    expect(await owner.sql.unsafe(LOCK_WAITS)).toHaveLength(1);
  }, PATIENCE);

describe('a link', () => {
  test('that is dropped while it is followed is refused, and neither side is undone by the other', async () => {
    const person = await newPerson('viewer');
    const token = await linkFor(person);
    let followed: Promise<unknown> | undefined;
    // Simulates a change of the person that makes another link or deactivates them.
    await owner.sql.begin(async (tx) => {
      await tx`select id from profiles where id = ${person.id} for update`;
      followed = refusalOf(follow(token));
      await waiting();
      await tx`delete from account_links where user_id = ${person.id}`;
    });
    expect(await followed).toEqual({ code: 'not_found', message: accountMessages.linkInvalid });
  });

  test('that is followed in a browser where another person is signed in signs that person out', async () => {
    const [before, person] = [await newPerson('manager'), await newPerson('viewer')];
    const [cookie, elsewhere] = [await signInAs(server, before), await clientOf(before)];
    await follow(await linkFor(person), createTestClient(server.url, cookie));
    expect((await refusalOf(createTestClient(server.url, cookie).session.me.query())).code).toBe(
      'unauthenticated',
    );
    expect((await elsewhere.session.me.query()).data.id).toBe(before.id);
  });

  test('for oneself is refused: a password is changed with the present one', async () => {
    const admin = await newPerson('admin');
    const made = (await clientOf(admin)).users.makeLink.mutate({ ...operation(), userId: admin.id });
    expect(await refusalOf(made)).toEqual({ code: 'forbidden', message: userMessages.ownLink });
  });
});

describe('links of an administrator', () => {
  test.each([
    [
      'has another role',
      (id: string) => asAdmin.users.setRole.mutate({ ...operation(), userId: id, role: 'viewer' }),
    ],
    [
      'is deactivated',
      (id: string) => asAdmin.users.setActive.mutate({ ...operation(), userId: id, active: false }),
    ],
  ])('who %s are worth nothing where they were shown to them', async (_what, end) => {
    const maker = await newPerson('admin');
    const [by, input] = [await clientOf(maker), invitation()];
    const { token: invite = '' } = await by.users.invite.mutate(input);
    const reset = await linkFor(await newPerson('admin'), by);
    const others = await linkFor(await newPerson('viewer'));
    await end(maker.id);
    for (const token of [invite, reset]) {
      expect((await refusalOf(follow(token))).code).toBe('not_found');
    }
    expect((await visitor().session.link.mutate({ token: others })).kind).toBe('reset');
  });

  test('who has another role stay valid where mail is set, because no other person has seen them', async () => {
    const mail = memoryMail();
    const mailing = await startTestServer(database, { mail, env: MAILING });
    const as = async (person: TestPerson) => {
      const cookie = await signInAs(mailing, person);
      return async (path: string, input: object) => {
        const headers = {
          origin: MAILING.publicUrl,
          'x-app': '1',
          'content-type': 'application/json',
          cookie,
        };
        const body = JSON.stringify(input);
        const response = await fetch(`${mailing.url}/trpc/${path}`, { method: 'POST', headers, body });
        expect(response.status).toBe(200);
      };
    };
    const maker = await newPerson('admin');
    const input = invitation();
    await (await as(maker))('users.invite', input);
    const change = { ...operation(), userId: maker.id, role: 'viewer' };
    await (await as(await newPerson('admin')))('users.setRole', change);
    await mailing.stop();
    const letter = mail.sent.find(({ to }) => to === input.email);
    const token = /\/invite\/([\w-]{43})/.exec(letter?.text ?? '')?.[1] ?? '';
    expect((await visitor().session.link.mutate({ token })).email).toBe(input.email);
  });

  test.each([
    [
      'one link',
      { code: 'forbidden' },
      async (maker: TestPerson) => {
        const [by, { id: userId }] = [await clientOf(maker), await newPerson('viewer')];
        return () => refusalOf(by.users.makeLink.mutate({ ...operation(), userId }));
      },
    ],
    [
      'an invitation',
      { code: 'forbidden' },
      async (maker: TestPerson) => {
        const by = await clientOf(maker);
        return () => refusalOf(by.users.invite.mutate(invitation()));
      },
    ],
    [
      'links for a file',
      403,
      async (maker: TestPerson) => {
        const [cookie, { id, email }] = [await signInAs(server, maker), await newPerson('viewer')];
        await owner.sql`update profiles set invited_at = now() where id = ${id}`;
        const file = `Email,First Name,Last Name,Role,Buildings\n${email},Ines,Invited,viewer,`;
        const path = `people/links?operationId=${uuidv7()}`;
        return () => upload(server.url, cookie, path, file).then(({ status }) => status);
      },
    ],
  ])('who loses the role at that very moment are not made: %s', async (_, refusal, prepare) => {
    const maker = await newPerson('admin');
    const make = await prepare(maker);
    let made: Promise<unknown> | undefined;
    // Simulates another administrator who revokes the role after this call was authorised by it.
    await owner.db.transaction(async (tx) => {
      await lockAdministration(tx);
      made = make();
      await waiting();
      const assignedAt = new Date().toISOString();
      await tx.insert(userRoles).values({ userId: maker.id, role: 'viewer', assignedAt });
    });
    expect(await made).toEqual(refusal);
    const rows = await owner.sql`select 1 from account_links where made_by = ${maker.id}`;
    expect(rows).toHaveLength(0);
  });
});
