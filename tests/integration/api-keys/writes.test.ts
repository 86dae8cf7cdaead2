import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { type Operation, objectOf } from '#server/http/rest/operation.ts';
import { operations } from '#server/http/rest/operations.ts';
import { writeOperations } from '#server/http/rest/write-operations.ts';
import { verifyChain } from '#server/live/chain.ts';
import { API_PERMISSIONS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { describedApi } from '#tests/support/described-api.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import type { TestBuilding } from '#tests/support/rows/factories.ts';

// Writes through the API: they match its description, happen once, need a current ETag, and record the key.

const LIMIT = { burst: 100_000, perSecond: 1_000 };
type Row = Record<string, unknown> & { id: string };
type Write = (typeof writeOperations)[number];

let setting: LiveSetting;
let url: string;
let key: string;
const described = describedApi();

beforeAll(async () => {
  setting = await createLiveSetting({ limits: { person: LIMIT, anonymous: LIMIT } });
  url = setting.server.url;
  ({ key } = await createApiKey(setting.admin.client, { name: 'Boiler sensor' }));
});
afterAll(() => setting.end());

type Sent = {
  by?: string;
  idempotencyKey?: string;
  ifMatch?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

async function send(method: string, path: string, sent: Sent) {
  const { by = key, idempotencyKey, ifMatch, body, headers } = sent;
  const answer = await callApi(
    url,
    by,
    path,
    {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...headers,
    },
    { method, body: typeof body === 'string' ? body : JSON.stringify(body) },
  );
  // The cast: a test of the schemas covers it.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Row };
}

const create = (path: string, body: unknown, sent: Sent = {}) =>
  send('POST', path, { idempotencyKey: randomUUID(), body, ...sent });
const upload = ({ id }: TestBuilding) =>
  create(`/documents?buildingId=${id}&fileName=${randomUUID()}.txt`, 'a line', {
    headers: { 'content-type': 'text/plain' },
  });
const edit = (path: string, body: unknown, ifMatch: string, sent: Sent = {}) =>
  send('PATCH', path, { ifMatch, body, ...sent });

async function read(path: string) {
  const answer = await callApi(url, key, path);
  return { etag: answer.headers.get('etag') ?? '', row: (await answer.json()) as Row };
}

const issueIn = ({ id }: TestBuilding) => ({ buildingId: id, title: 'Flow temperature too low' });
const CREATED: Readonly<Record<string, (building: TestBuilding) => object>> = {
  createIssue: (building) => ({ ...issueIn(building), description: 'Below 55 °C', priority: 'high' }),
  createComment: () => ({ body: 'Back to 60 °C' }),
  createTask: ({ id }) => ({
    buildingId: id,
    complianceSystem: 'Gas',
    taskDescription: 'Service the boiler',
    frequency: 'annually',
  }),
  createAsset: ({ id }) => ({ buildingId: id, name: 'Boiler', description: 'In the basement', quantity: 2 }),
};
const EDITED: Readonly<Record<string, object>> = {
  updateIssue: { status: 'in_progress', priority: 'critical' },
  updateTask: { complianceSystem: 'Gas safety', responsiblePerson: 'Acme Heating' },
  updateDocument: { description: 'Signed by the landlord', expiresOn: '2031-01-31' },
  updateAsset: { name: 'Boiler 1', roomName: 'Plant room', lastVisitDate: null },
};

/** A request of an operation about a building: for an edit, of an object that was just added. */
async function requestOf(operation: Write, building: TestBuilding) {
  if (operation.method === 'patch') {
    const subject = operation.path.split('/')[1] ?? '';
    const creates = writeOperations.find((one) => one.method === 'post' && one.path === `/${subject}`);
    const { body } =
      subject === 'documents'
        ? await upload(building)
        : await create(`/${subject}`, CREATED[creates?.id ?? '']?.(building));
    const path = `/${subject}/${body.id}`;
    return { path, body: EDITED[operation.id] ?? {}, sent: { ifMatch: (await read(path)).etag } };
  }
  const path = operation.path.includes('{')
    ? operation.path.replace('{id}', await setting.report(building))
    : operation.path;
  return { path, body: CREATED[operation.id]?.(building) ?? {}, sent: { idempotencyKey: randomUUID() } };
}

const each = writeOperations.map((one) => [one.id, one] as const);
describe('each operation that writes', () => {
  test.each(each)('%s answers as described', async (_id, one) => {
    const { path, body, sent } = await requestOf(one, setting.here);
    const answer = await send(one.method.toUpperCase(), path, { ...sent, body });
    const expected = one.method === 'post' ? 201 : 200;
    expect([answer.status, answer.body]).toEqual([expected, expect.any(Object)]);
    const at = ['paths', one.path, one.method];
    expect(described.faultsIn(body, [...at, 'requestBody'])).toBeUndefined();
    expect(described.faultsIn(answer.body, [...at, 'responses', String(expected)])).toBeUndefined();
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys(objectOf(one).schema.shape).sort());
    if (one.method === 'patch') {
      const now = await read(path);
      expect([now.row, now.etag]).toEqual([answer.body, answer.headers.get('etag')]);
      expect(now.row).toMatchObject(body);
    } else if (one.location !== undefined) {
      const location = answer.headers.get('location') ?? '';
      expect(location).toMatch(/^\/api\/v1\//);
      expect((await read(location.slice('/api/v1'.length))).row).toMatchObject(body);
    }
  });

  test.each(each)('%s needs its permission', async (_id, one) => {
    // A comment is on an issue that the maker of the key has reported, because a person may comment on such an issue.
    const { path, body, sent } = await requestOf(one, setting.here);
    const others = API_PERMISSIONS.filter((permission) => permission !== one.permission);
    const narrow = await createApiKey(setting.admin.client, { permissions: others });
    // Also with an ETag that is not current, because the server then checks whether the change has been made already.
    for (const ifMatch of [sent.ifMatch, '"0"']) {
      const answer = await send(one.method.toUpperCase(), path, { ...sent, ifMatch, body, by: narrow.key });
      expect([answer.status, answer.body['code']]).toEqual([403, 'forbidden']);
    }
  });

  test('createIssue is possible with a key that reads nothing', async () => {
    const sensor = await createApiKey(setting.admin.client, { permissions: ['create_building_issues'] });
    const { status, body } = await create('/issues', issueIn(setting.here), { by: sensor.key });
    expect(status).toBe(201);
    for (const path of ['/issues', `/issues/${body.id}`]) {
      expect((await callApi(url, sensor.key, path)).status).toBe(403);
    }
  });

  test.each(each)('%s reaches only the buildings of the key', async (_id, one) => {
    const narrow = await createApiKey(setting.admin.client, { buildingIds: [setting.here.id] });
    for (const [building, statuses] of [
      [setting.here, [200, 201]],
      [setting.there, [404]],
    ] as const) {
      const { path, body, sent } = await requestOf(one, building);
      const answer = await send(one.method.toUpperCase(), path, { ...sent, body, by: narrow.key });
      expect(statuses).toContain(answer.status);
    }
  });

  test.each(each)('%s names what is wrong', async (_id, one) => {
    const { path, body, sent } = await requestOf(one, setting.here);
    const ask = (of: Sent, query = '') =>
      send(one.method.toUpperCase(), `${path}${query}`, { ...sent, ...of });
    const errorsOf = async (asking: ReturnType<typeof ask>) => {
      const { status, body: problem } = await asking;
      return [status, problem['code'], Object.keys(problem['errors'] ?? {})];
    };
    expect(await errorsOf(ask({ body: { ...body, operationId: uuidv7() } }))).toEqual([
      400,
      'invalid',
      ['operationId'],
    ]);
    expect(await errorsOf(ask({ body: { ...body, id: uuidv7() } }))).toEqual([400, 'invalid', ['id']]);
    expect(await errorsOf(ask({ body }, '?dry=1'))).toEqual([400, 'invalid', ['dry']]);
    expect(await errorsOf(ask({ body: '{' }))).toEqual([400, 'invalid', ['body']]);
    const [first = ''] = Object.keys(body);
    expect(await errorsOf(ask({ body: { ...body, [first]: 7 } }))).toEqual([400, 'invalid', [first]]);
    expect(await errorsOf(ask({ body, headers: { 'content-type': 'text/plain' } }))).toEqual([
      415,
      'unsupported',
      [],
    ]);
    const long = JSON.stringify({ ...body, [first]: 'x'.repeat(300_000) });
    expect(await errorsOf(ask({ body: long }))).toEqual([413, 'too_large', []]);
  });
});

describe('a call that adds something', () => {
  const countIssues = async (title: string) => {
    const { db } = setting.server.services;
    return db.$count(buildingIssues, eq(buildingIssues.title, title));
  };

  test('adds it once, however often it is repeated, also at the same time', async () => {
    const idempotencyKey = randomUUID();
    const body = { ...issueIn(setting.here), title: 'Reported once' };
    const first = await Promise.all(
      Array.from({ length: 6 }, () => create('/issues', body, { idempotencyKey })),
    );
    const again = await create(
      '/issues',
      { title: body.title, buildingId: body.buildingId },
      { idempotencyKey },
    );
    // The quotes of the header's grammar do not make another key.
    const quoted = await create('/issues', body, { idempotencyKey: `"${idempotencyKey}"` });
    for (const answer of [...first, again, quoted]) {
      expect([answer.status, answer.body]).toEqual([201, first[0]?.body]);
    }
    expect(await countIssues(body.title)).toBe(1);
  });

  test('is not taken for a repetition with other fields, for another address, or by another key', async () => {
    const idempotencyKey = randomUUID();
    const body = { ...issueIn(setting.here), title: 'Reported by two' };
    const { body: issue } = await create('/issues', body, { idempotencyKey });
    const reused = [422, 'operation_reused'];
    const other = await create('/issues', { ...body, priority: 'low' }, { idempotencyKey });
    expect([other.status, other.body['code']]).toEqual(reused);
    const comment = await create(`/issues/${issue.id}/comments`, { body: 'Text' }, { idempotencyKey });
    expect([comment.status, comment.body['code']]).toEqual(reused);
    const second = await createApiKey(setting.admin.client);
    const theirs = await create('/issues', body, { idempotencyKey, by: second.key });
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(issue.id);
    expect(await countIssues(body.title)).toBe(2);
  });

  test('needs an Idempotency-Key', async () => {
    const { status, body } = await send('POST', '/issues', { body: issueIn(setting.here) });
    expect([status, Object.keys(body['errors'] ?? {})]).toEqual([400, ['Idempotency-Key']]);
  });

  test('is refused if the key is revoked while it waits', async () => {
    const { key: leaked, id } = await createApiKey(setting.admin.client);
    const title = 'From a leaked key';
    await setting.report(setting.here);
    const { sql } = setting.owner;
    let release = () => {};
    let lock: Promise<unknown> = Promise.resolve();
    await new Promise<void>((locked) => {
      lock = sql.begin(async (tx) => {
        await tx`select 1 from counters where building_id = ${setting.here.id} for update`;
        locked();
        await new Promise<void>((done) => {
          release = done;
        });
      });
    });
    const sent = Array.from({ length: 6 }, () =>
      create('/issues', { ...issueIn(setting.here), title }, { by: leaked }),
    );
    // At most two commands of a caller run at the same time, so four wait.
    await expect.poll(() => setting.server.services.commands.waiting()).toBe(4);
    await setting.admin.client.apiKeys.revoke.mutate({ operationId: uuidv7(), id });
    release();
    await lock;
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 401, 401, 401, 401]);
    expect(await countIssues(title)).toBe(2);
  });
});

describe('a change', () => {
  const added = async () => {
    const { body } = await create('/assets', CREATED['createAsset']?.(setting.here));
    const path = `/assets/${body.id}`;
    return { path, id: body.id, etag: (await read(path)).etag };
  };

  test('needs the ETag of what it is about', async () => {
    const { path } = await added();
    const { status, body } = await send('PATCH', path, { body: { quantity: 3 } });
    expect([status, body['code'], Object.keys(body['errors'] ?? {})]).toEqual([428, 'invalid', ['If-Match']]);
  });

  test('is refused if somebody has changed the object since, and is there if it was only repeated', async () => {
    const { path, id, etag } = await added();
    const first = await edit(path, { quantity: 3 }, etag);
    expect([first.status, first.body['quantity']]).toEqual([200, 3]);
    // The answer was lost: the program sends the request again, with the same ETag.
    const again = await edit(path, { quantity: 3 }, etag);
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([
      200,
      first.body,
      first.headers.get('etag'),
    ]);
    const stale = await edit(path, { quantity: 4 }, etag);
    expect([stale.status, stale.body['code']]).toEqual([412, 'conflict']);
    const operation = { operationId: uuidv7(), id };
    const person = { name: { from: 'Boiler', to: 'Boiler in the loft' } };
    await setting.admin.client.assets.update.mutate({ ...operation, changes: person });
    const tag = first.headers.get('etag') ?? '';
    expect((await edit(path, { quantity: 4 }, tag)).status).toBe(412);
    expect((await edit(path, { quantity: 4 }, `W/${(await read(path)).etag}`)).status).toBe(200);
    expect((await edit(path, { quantity: 5 }, '*')).body).toMatchObject({
      quantity: 5,
      name: 'Boiler in the loft',
    });
  });

  test('that is repeated is recognised by its values, however an id is written', async () => {
    const { path, etag } = await added();
    const { client } = setting.admin;
    const buildingId = setting.here.id;
    await client.locations.addFloors.mutate({ operationId: uuidv7(), buildingId, floors: 1 });
    const [floor] = (await client.locations.listFloors.query({ buildingId })).data;
    const floorId = floor?.id.toUpperCase();
    for (const _ of ['sent', 'repeated']) expect((await edit(path, { floorId }, etag)).status).toBe(200);
  });

  test('of the same field by two at once is one of the two', async () => {
    const { path, etag } = await added();
    const both = await Promise.all([7, 8].map((quantity) => edit(path, { quantity }, etag)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const won = both.find(({ status }) => status === 200);
    expect((await read(path)).row['quantity']).toBe(won?.body['quantity']);
  });

  test('of nothing, or of a field that cannot be changed, is refused', async () => {
    const { path, etag } = await added();
    const nothing = await edit(path, {}, etag);
    expect([nothing.status, Object.keys(nothing.body['errors'] ?? {})]).toEqual([400, ['body']]);
    const moved = await edit(path, { buildingId: setting.there.id }, etag);
    expect([moved.status, Object.keys(moved.body['errors'] ?? {})]).toEqual([400, ['buildingId']]);
    const merged = { 'content-type': 'application/merge-patch+json' };
    expect((await edit(path, { lastVisitDate: null }, etag, { headers: merged })).status).toBe(200);
  });
});

test('who did it: the key is named beside its maker, in the stream, in Activity, in histories and under records', async () => {
  const stream = await setting.followed(setting.admin.cookie);
  const { body: issue } = await create('/issues', issueIn(setting.here));
  await create(`/issues/${issue.id}/comments`, { body: 'Still too low' });
  const { etag } = await read(`/issues/${issue.id}`);
  await edit(`/issues/${issue.id}`, { status: 'in_progress' }, etag);
  const { body: task } = await create('/tasks', CREATED['createTask']?.(setting.here));
  await setting.newest();

  const { client } = setting.admin;
  const events = () => stream.events.filter(({ entityId }) => entityId === issue.id);
  await expect.poll(() => events().length).toBe(2);
  for (const event of events()) expect(event).toMatchObject({ apiKey: { name: 'Boiler sensor' } });
  await setting.closeStreams();
  const activity = (await client.activity.list.query({ filter: { entity: 'issue' } })).data;
  const [newest] = activity.entries;
  expect(newest).toMatchObject({
    entityId: issue.id,
    apiKeyName: 'Boiler sensor',
    actorId: setting.admin.id,
  });
  expect((await client.issues.get.query({ id: issue.id })).data.reportedByKey).toBe('Boiler sensor');
  const { entries } = (await client.issues.history.query({ id: issue.id })).data;
  expect(entries.map(({ apiKeyName }) => apiKeyName)).toEqual(['Boiler sensor', 'Boiler sensor']);
  const csv = await fetch(`${url}/files/export/activity.csv`, { headers: { cookie: setting.admin.cookie } });
  expect(await csv.text()).toContain('via Boiler sensor');

  const comments = async () => (await client.issues.comments.query({ id: issue.id })).data[0];
  const before = await comments();
  expect(before).toMatchObject({ authorName: expect.stringMatching(/ via Boiler sensor$/), authorNow: null });
  const [line] = (await client.tasks.record.query({ id: task.id })).data;
  expect(line?.byName).toBe(before?.authorName);
  // A new name of the person is shown beside the old one, as under a comment written in the app.
  const { db } = setting.server.services;
  const [stored] = await db.select().from(issueComments).where(eq(issueComments.issueId, issue.id));
  expect(stored?.authorId).toBe(setting.admin.id);
  await setting.owner.sql`update profiles set last_name = 'Newname' where id = ${setting.admin.id}`;
  expect((await comments())?.authorNow).toMatch(/ Newname$/);
  // The hash of each event covers the key's name.
  const report = await verifyChain(setting.owner.sql);
  expect(report.problems).toEqual([]);
});

test('every write has its operation, and no other method is answered', async () => {
  const methodsOf = new Map<string, string[]>();
  for (const { path, method } of operations as readonly Operation[]) {
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method.toUpperCase()]);
  }
  for (const [path, methods] of methodsOf) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !methods.includes(one))) {
      const { status, headers } = await send(method, path.replace(/\{\w+\}/, uuidv7()), { body: {} });
      expect([path, method, status]).toEqual([path, method, 405]);
      expect(
        headers
          .get('allow')
          ?.split(', ')
          .filter((one) => one !== 'HEAD')
          .sort(),
      ).toEqual(methods.sort());
    }
  }
});
