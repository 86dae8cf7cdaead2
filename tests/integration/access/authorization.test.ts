import { count, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { events } from '#db/schema/live.ts';
import { sessions } from '#db/schema/people.ts';
import { floors } from '#db/schema/places.ts';
import { dayOf, HOUR_MS } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import { EXPECTATIONS, expected } from '#tests/support/expectations/expectations.ts';
import { CALLERS, type Caller, type Ids, TARGETS, type Target } from '#tests/support/expectations/row.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import {
  createBuilding,
  createClient,
  createPerson,
  signInAs,
  type TestPerson,
} from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';
import { untilSequenced } from '#tests/support/server/sequenced.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Every procedure × every caller × own, other and absent building, over HTTP and in a batch, against one table.

/** Part of all texts of the other building. Answers to callers without access must not contain it. */
const CANARY = 'canary-7f3a';
const LIMIT = { burst: 100_000, perSecond: 1_000 };

let database: TestDatabase;
let server: TestServer;
let people: Record<Exclude<Caller, 'anonymous'>, TestPerson>;
let targets: Record<Target, Ids>;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { limits: { person: LIMIT, anonymous: LIMIT } });
  const { services } = server;
  const own = await makeTarget('ours');
  const other = await makeTarget(CANARY);
  targets = {
    own,
    other,
    absent: {
      buildingId: uuidv7(),
      clientId: uuidv7(),
      issueId: uuidv7(),
      assetId: uuidv7(),
      floorId: uuidv7(),
      entryId: uuidv7(),
      personId: uuidv7(),
      taskId: uuidv7(),
      retiredTaskId: uuidv7(),
      markedTaskId: uuidv7(),
      folderId: uuidv7(),
      deletedFolderId: uuidv7(),
    },
  };
  const buildings = [own.buildingId];
  const deactivatedAt = new Date().toISOString();
  people = {
    ended: await createPerson(services, { role: 'admin' }),
    deactivated: await createPerson(services, { role: 'admin', deactivatedAt }),
    unknownRole: await createPerson(services, { role: 'superuser', buildings }),
    noRole: await createPerson(services, { role: null }),
    viewer: await createPerson(services, { role: 'viewer', buildings }),
    operative: await createPerson(services, { role: 'operative', buildings }),
    manager: await createPerson(services, { role: 'manager', buildings }),
    admin: await createPerson(services, { role: 'admin' }),
  };
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Creates a building with an issue, a comment and a person, all named so that they can be found in any answer. */
async function makeTarget(name: string): Promise<Ids> {
  const { services } = server;
  const client = await createClient(services, { name: `Client ${name}` });
  const building = await createBuilding(services, { clientId: client.id, name: `Building ${name}` });
  const person = await createPerson(services, {
    role: 'manager',
    lastName: name,
    email: `${name}@example.com`,
    buildings: [building.id],
  });
  const reporter = createTestClient(server.url, await signInAs(server, person));
  const issueId = uuidv7();
  await reporter.issues.create.mutate({
    operationId: uuidv7(),
    id: issueId,
    buildingId: building.id,
    title: `Issue ${name}`,
  });
  await reporter.issues.comment.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    issueId,
    body: `Comment ${name}`,
  });
  const assetId = uuidv7();
  await reporter.assets.create.mutate({
    operationId: uuidv7(),
    id: assetId,
    buildingId: building.id,
    name: `Asset ${name}`,
    description: `About ${name}`,
  });
  const floorId = uuidv7();
  const now = new Date().toISOString();
  await services.db.insert(floors).values({
    id: floorId,
    buildingId: building.id,
    level: 0,
    name: `Floor ${name}`,
    isBasement: false,
    createdAt: now,
  });
  const addTask = async (lastDone: string | null) => {
    const { id } = await reporter.tasks.create.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      buildingId: building.id,
      complianceSystem: `System ${name}`,
      taskDescription: `Task ${name}`,
      frequency: 'weekly',
      lastDone,
    });
    return id;
  };
  const entryId = uuidv7();
  await reporter.checks.record.mutate({
    kind: 'fire_alarm_test',
    operationId: uuidv7(),
    visitId: uuidv7(),
    buildingId: building.id,
    visitDate: dayOf(now),
    operativeName: `Tester ${name}`,
    performedAt: now,
    deviceNow: now,
    entries: [{ id: entryId, locationTested: `Point ${name}`, passed: true, notes: `Notes ${name}` }],
  });
  const taskId = await addTask('2026-01-05');
  const markedTaskId = await addTask('2026-01-05');
  const retiredTaskId = await addTask(null);
  await reporter.tasks.retire.mutate({ operationId: uuidv7(), id: retiredTaskId, reason: `Reason ${name}` });
  const admin = await createPerson(services, { role: 'admin' });
  const manages = createTestClient(server.url, await signInAs(server, admin));
  const folderId = await addFolder(manages, { buildingId: building.id, name: `Folder ${name}` });
  const deletedFolderId = await addFolder(manages, { buildingId: building.id, name: `Deleted ${name}` });
  const deletion = { operationId: uuidv7(), buildingId: building.id, ids: [deletedFolderId] };
  await manages.documents.remove.mutate(deletion);
  const visitor = await createPerson(services, { role: 'viewer' });
  const tasks = { taskId, retiredTaskId, markedTaskId };
  const folders = { folderId, deletedFolderId };
  const ids = { issueId, assetId, floorId, entryId, personId: visitor.id, ...tasks, ...folders };
  return { buildingId: building.id, clientId: client.id, ...ids };
}

const cookies = new Map<Caller, string>();

async function cookieOf(caller: Caller, path: string): Promise<string | undefined> {
  if (caller === 'anonymous') return undefined;
  // Signing out ends the session, so its cookie is not reused.
  const kept = path === 'session.signOut' ? undefined : cookies.get(caller);
  const cookie = kept ?? (await signInAs(server, people[caller]));
  if (caller === 'ended') await server.services.sessions.endAllForUser(people.ended.id);
  if (path !== 'session.signOut') cookies.set(caller, cookie);
  return cookie;
}

type Answer = { outcome: string; status: number; text: string };

async function call(path: string, caller: Caller, target: Target, batch: boolean): Promise<Answer> {
  return ask(path, await cookieOf(caller, path), target, batch);
}

async function ask(
  path: string,
  cookie: string | undefined,
  target: Target,
  batch: boolean,
): Promise<Answer> {
  const row = EXPECTATIONS[path];
  if (row === undefined) throw new Error(`${path} is not in the table`);
  const input = row.input(targets[target]);
  const headers = headersFor(server.url, cookie);
  const body = JSON.stringify(batch ? { 0: input } : input);
  const url = new URL(`${server.url}/trpc/${path}`);
  if (batch) url.searchParams.set('batch', '1');
  const isMutation = row.kind === 'mutation';
  if (!isMutation && body !== undefined) url.searchParams.set('input', body);
  const response = await fetch(
    url,
    isMutation
      ? { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
      : { headers },
  );
  const text = await response.text();
  const parsed: unknown = JSON.parse(text);
  // The cast: the shape of a tRPC answer; a batch is a list of them.
  const [answer] = (Array.isArray(parsed) ? parsed : [parsed]) as {
    error?: { data: { app: { code: string } } };
  }[];
  return { outcome: answer?.error?.data.app.code ?? 'ok', status: response.status, text };
}

/**
 * Removes the parts in which two answers may differ without disclosing anything: the snapshot's position, the
 * transactions that it saw (other databases of the same Postgres move them too), and ids from the input.
 */
function withoutPosition(text: string): string {
  // The receipt of a held record repeats the visit's id and the time of receipt.
  const receipt = /"(?:id|receivedAt)":"[^"]*"|"clockOffsetMs":-?\d+/g;
  return text
    .replace(/"(?:asOf|digest|visible)":"[^"]*",|"seen":\[[^\]]*\],?/g, '')
    .replace(receipt, (fact) => (text.includes('"held":true') ? '' : fact));
}

/** Procedures whose answer differs each time: it contains the session's expiry, or a new code or secret. */
const PERSONAL = new Set(['session.me', 'session.touch', 'displays.requestCode', 'users.beginSecondFactor']);

async function wrongAnswers(path: string, caller: Caller, batch: boolean): Promise<string[]> {
  const wrong: string[] = [];
  const answers = new Map<Target, Answer>();
  for (const target of TARGETS) {
    const answer = await call(path, caller, target, batch);
    answers.set(target, answer);
    const should = expected(path, caller, target);
    if (answer.outcome !== should) {
      wrong.push(`${caller}, ${target}: ${answer.outcome} instead of ${should}`);
    }
    if (caller !== 'admin' && answer.text.includes(CANARY)) {
      wrong.push(`${caller}, ${target}: met the canary`);
    }
  }
  const [other, absent] = [answers.get('other'), answers.get('absent')];
  const alike =
    other?.status === absent?.status &&
    withoutPosition(other?.text ?? '') === withoutPosition(absent?.text ?? '');
  // Administrators may see everything.
  const personal = PERSONAL.has(path);
  if (caller !== 'admin' && !personal && !alike) {
    wrong.push(`${caller}: other and absent differ: ${other?.text} / ${absent?.text}`);
  }
  return wrong;
}

describe('the table of expectations', () => {
  test('has every procedure, with its kind, and no other', () => {
    const real = PROCEDURES.map(({ path, type }) => `${type} ${path}`);
    const written = Object.entries(EXPECTATIONS).map(([path, { kind }]) => `${kind} ${path}`);
    expect(written.sort()).toEqual(real.sort());
  });
});

describe.each([
  ['one call', false],
  ['a batch', true],
])('over HTTP, %s', (_name, batch) => {
  test.each(Object.keys(EXPECTATIONS))('%s answers each caller as the table says', async (path) => {
    const wrong = await Promise.all(CALLERS.map((caller) => wrongAnswers(path, caller, batch)));
    expect(wrong.flat()).toEqual([]);
  });
});

describe('a command that begins with a person from memory', () => {
  const paths = PROCEDURES.filter(({ meta }) => meta?.provenByCommand === true).map(({ path }) => path);

  test.each(paths)('%s is refused once the session has ended', async (path) => {
    const person = await createPerson(server.services, { role: 'admin' });
    for (const target of TARGETS) {
      const cookie = await signInAs(server, person);
      await createTestClient(server.url, cookie).session.me.query();
      await server.services.sessions.endAllForUser(person.id);
      expect((await ask(path, cookie, target, false)).outcome).toBe('unauthenticated');
    }
  });
});

const MEETING = [
  'locations.mine',
  'locations.listClients',
  'issues.list',
  'issues.get',
  'users.list',
  'checks.register',
  'checks.logYear',
  'checks.logRecords',
  'checks.yearGrid',
  'checks.missing',
  'checks.trend',
  'checks.thread',
];

test('the canary is there: an administrator finds it', async () => {
  const met: string[] = [];
  for (const path of MEETING) {
    const { text } = await call(path, 'admin', 'other', false);
    if (text.includes(CANARY)) met.push(path);
  }
  expect(met).toEqual(MEETING);
});

test('a viewer finds the rows of their own building', async () => {
  for (const path of ['issues.list', 'issues.get', 'issues.comments', 'locations.mine', 'checks.thread']) {
    expect((await call(path, 'viewer', 'own', false)).text).toContain('ours');
  }
});

/** The procedures for which a person must have authenticated recently. */
const SENSITIVE = PROCEDURES.flatMap(({ path, meta }) =>
  meta?.sensitive === true ? [{ path, guard: meta.guard }] : [],
);

describe('with a session whose person entered the password an hour ago', () => {
  let cookies: Record<'admin' | 'manager', string>;
  beforeAll(async () => {
    const { db } = server.services;
    const old = async (person: TestPerson) => {
      const cookie = await signInAs(server, person);
      const at = new Date(Date.now() - HOUR_MS).toISOString();
      await db.update(sessions).set({ authenticatedAt: at }).where(eq(sessions.userId, person.id));
      return cookie;
    };
    const { services } = server;
    cookies = {
      admin: await old(await createPerson(services, { role: 'admin' })),
      manager: await old(await createPerson(services, { role: 'manager' })),
    };
  });

  test.each(SENSITIVE)('$path is refused, and nothing is changed', async ({ path, guard }) => {
    const { db } = server.services;
    const told = async () => {
      await untilSequenced(server.url);
      return db.select({ count: count() }).from(events);
    };
    const before = await told();
    const forManagers = guard === 'signedIn' ? 'reauthentication_required' : 'forbidden';
    expect((await ask(path, cookies.manager, 'own', false)).outcome).toBe(forManagers);
    expect((await ask(path, cookies.admin, 'own', false)).outcome).toBe('reauthentication_required');
    expect((await ask(path, cookies.admin, 'own', true)).outcome).toBe('reauthentication_required');
    expect(await told()).toEqual(before);
  });
});
