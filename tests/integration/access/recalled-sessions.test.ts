import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#db/schema/assets.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { appliedOperations } from '#db/schema/live.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  createBuilding,
  createPerson,
  signInAs,
  type TestBuilding,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// A server answers queries, and runs commands, for people whom it remembers. With each answer, or in the same transaction,
// the database must confirm that their session and access are unchanged, so a change by another server counts for the very
// next call.

let database: TestDatabase;
let server: TestServer;
let other: TestServer;
let atOther: TestClient;
let building: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  [server, other] = [await startTestServer(database), await startTestServer(database)];
  const admin = await createPerson(server.services, { role: 'admin' });
  atOther = createTestClient(other.url, await signInAs(other, admin));
  building = await createBuilding(server.services);
});
afterAll(async () => {
  await server.stop();
  await other.stop();
  await database.drop();
});

type Remembered = { person: TestPerson; cookie: string; client: TestClient };

/** A person for whom the server has just answered a query. */
async function remembered(role: Role): Promise<Remembered> {
  const person = await createPerson(server.services, { role, buildings: [building.id] });
  const cookie = await signInAs(server, person);
  const client = createTestClient(server.url, cookie);
  await client.session.me.query();
  await client.session.me.query();
  return { person, cookie, client };
}

const operation = () => ({ operationId: uuidv7() });

/** A query that is a single statement, a query that is a transaction, and a query without a position. */
const QUERIES: readonly [name: string, ask: (client: TestClient) => Promise<unknown>][] = [
  ['a snapshot of one statement', (client) => client.issues.counts.query({ filter: {} })],
  ['a snapshot', (client) => client.issues.list.query({ filter: {}, limit: 5 })],
  ['no snapshot', (client) => client.issues.assignees.query({ buildingId: building.id })],
];

describe.each(QUERIES)('a query answered by %s', (_name, ask) => {
  test('is refused once the session was ended elsewhere', async () => {
    const { client, person } = await remembered('manager');
    await ask(client);
    await atOther.users.endSessions.mutate({ ...operation(), userId: person.id });
    expect(await refusalOf(ask(client))).toMatchObject({ code: 'unauthenticated' });
  });

  test('is refused once the person was deactivated elsewhere', async () => {
    const { client, person } = await remembered('manager');
    await ask(client);
    await atOther.users.setActive.mutate({ ...operation(), userId: person.id, active: false });
    expect(await refusalOf(ask(client))).toMatchObject({ code: 'unauthenticated' });
  });

  test('is refused once the role was taken away elsewhere, and answered once it was given back', async () => {
    const { client, person } = await remembered('manager');
    await ask(client);
    await atOther.users.setRole.mutate({ ...operation(), userId: person.id, role: 'viewer' });
    await atOther.users.revoke.mutate({ ...operation(), userId: person.id, buildingId: building.id });
    expect((await client.session.me.query()).data).toMatchObject({ role: 'viewer', buildings: [] });
    await atOther.users.grant.mutate({ ...operation(), userId: person.id, buildingId: building.id });
    await atOther.users.setRole.mutate({ ...operation(), userId: person.id, role: 'manager' });
    expect((await client.session.me.query()).data).toMatchObject({
      role: 'manager',
      buildings: [building.id],
    });
    await ask(client);
  });

  test('is refused after a sign-out elsewhere with the same cookie', async () => {
    const { client, cookie } = await remembered('manager');
    await ask(client);
    await createTestClient(other.url, cookie).session.signOut.mutate({});
    expect(await refusalOf(ask(client))).toMatchObject({ code: 'unauthenticated' });
  });
});

test('a permission that was given elsewhere counts at once: no refusal comes from memory', async () => {
  const { client, person } = await remembered('operative');
  const list = () => client.users.list.query();
  expect(await refusalOf(list())).toMatchObject({ code: 'forbidden' });
  await atOther.users.setRole.mutate({ ...operation(), userId: person.id, role: 'admin' });
  expect((await list()).data).toContainEqual(expect.objectContaining({ id: person.id, role: 'admin' }));
  await atOther.users.setRole.mutate({ ...operation(), userId: person.id, role: 'viewer' });
  expect(await refusalOf(list())).toMatchObject({ code: 'forbidden' });
});

test('a page that asks whether somebody is signed in gets no answer from memory', async () => {
  const { client, person } = await remembered('viewer');
  expect(await client.session.active.query()).toEqual({ active: true });
  await atOther.users.endSessions.mutate({ ...operation(), userId: person.id });
  expect(await client.session.active.query()).toEqual({ active: false });
});

const COMMANDS: readonly [name: string, run: (client: TestClient) => Promise<unknown>][] = [
  ['a report', (client) => report(client)],
  [
    'an asset',
    (client) =>
      client.assets.create.mutate({
        ...operation(),
        id: uuidv7(),
        buildingId: building.id,
        name: 'Pump',
        description: 'By the door',
      }),
  ],
];

function report(client: TestClient, ids = { ...operation(), id: uuidv7() }) {
  return client.issues.create.mutate({ ...ids, buildingId: building.id, title: 'Lamp is out' });
}

async function expectNothingWritten(work: () => Promise<void>): Promise<void> {
  const { db } = server.services;
  const count = async () =>
    Promise.all([db.$count(buildingIssues), db.$count(assets), db.$count(appliedOperations)]);
  const before = await count();
  await work();
  expect(await count()).toEqual(before);
}

describe.each(COMMANDS)('a command, %s,', (_name, run) => {
  test('is refused once the session was ended elsewhere, and writes nothing', async () => {
    const { client, person } = await remembered('manager');
    await run(client);
    await atOther.users.endSessions.mutate({ ...operation(), userId: person.id });
    await expectNothingWritten(async () =>
      expect(await refusalOf(run(client))).toMatchObject({ code: 'unauthenticated' }),
    );
  });

  test('is refused once the person was deactivated elsewhere', async () => {
    const { client, person } = await remembered('manager');
    await atOther.users.setActive.mutate({ ...operation(), userId: person.id, active: false });
    expect(await refusalOf(run(client))).toMatchObject({ code: 'unauthenticated' });
  });

  test('is refused without the building, and run once it was given back', async () => {
    const { client, person } = await remembered('manager');
    await run(client);
    await atOther.users.revoke.mutate({ ...operation(), userId: person.id, buildingId: building.id });
    expect(await refusalOf(run(client))).toMatchObject({ code: 'not_found' });
    await atOther.users.grant.mutate({ ...operation(), userId: person.id, buildingId: building.id });
    await run(client);
  });

  test('is refused after a sign-out elsewhere with the same cookie', async () => {
    const { client, cookie } = await remembered('manager');
    await createTestClient(other.url, cookie).session.signOut.mutate({});
    expect(await refusalOf(run(client))).toMatchObject({ code: 'unauthenticated' });
  });
});

test('a command is run with a permission that was given elsewhere, and refused without one', async () => {
  const { client, person } = await remembered('viewer');
  const [id, title] = [(await report(client)).id, { from: 'Lamp is out', to: 'Lamp flickers' }];
  const edit = () => client.issues.update.mutate({ ...operation(), id, changes: { title } });
  expect(await refusalOf(edit())).toMatchObject({ code: 'forbidden' });
  await atOther.users.setRole.mutate({ ...operation(), userId: person.id, role: 'manager' });
  await edit();
  await atOther.users.setRole.mutate({ ...operation(), userId: person.id, role: 'viewer' });
  await expectNothingWritten(async () =>
    expect(await refusalOf(edit())).toMatchObject({ code: 'forbidden' }),
  );
});

test('what a person signs has the name that they have by now', async () => {
  const { client, cookie } = await remembered('manager');
  const { id: issueId } = await report(client);
  const elsewhere = createTestClient(other.url, cookie);
  await elsewhere.users.renameMe.mutate({ ...operation(), firstName: 'Mary', lastName: 'Newname' });
  await client.issues.comment.mutate({ ...operation(), id: uuidv7(), issueId, body: 'Seen' });
  const { data } = await client.issues.comments.query({ id: issueId });
  expect(data).toMatchObject([{ authorName: 'Mary Newname' }]);
});

test('a second copy of a command is answered as the first, and refused once the session has ended', async () => {
  const { client, person } = await remembered('manager');
  const ids = { ...operation(), id: uuidv7() };
  const first = await report(client, ids);
  expect(await Promise.all([1, 2, 3].map(() => report(client, ids)))).toEqual([first, first, first]);
  await atOther.users.endSessions.mutate({ ...operation(), userId: person.id });
  expect(await refusalOf(report(client, ids))).toMatchObject({ code: 'unauthenticated' });
});

test('another command never begins with a person from memory', async () => {
  const { client, person } = await remembered('manager');
  await atOther.users.endSessions.mutate({ ...operation(), userId: person.id });
  const rename = client.users.renameMe.mutate({ ...operation(), firstName: 'Ann', lastName: 'Other' });
  expect(await refusalOf(rename)).toMatchObject({ code: 'unauthenticated' });
});
