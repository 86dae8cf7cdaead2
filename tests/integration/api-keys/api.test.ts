import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys } from '#db/schema/api-keys.ts';
import { openApiDocument } from '#server/http/rest/open-api.ts';
import type { ReadOperation } from '#server/http/rest/operation.ts';
import { operations } from '#server/http/rest/operations.ts';
import { readOperations } from '#server/http/rest/read-operations.ts';
import { dayOf } from '#shared/dates.ts';
import { API_KEYS_MAX, API_PERMISSIONS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { describedApi } from '#tests/support/described-api.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import { signInAs } from '#tests/support/rows/factories.ts';
import { type FilledBuilding, fillBuilding } from '#tests/support/rows/filled-building.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';

// The API for other programs, from outside: every operation against its description, and every kind of refusal.

const LIMIT = { burst: 100_000, perSecond: 1_000 };
const PROBLEM = 'application/problem+json; charset=utf-8';
type Row = Record<string, unknown> & { id: string };
const operation = () => ({ operationId: uuidv7() });
type Page = { data: Row[]; nextCursor: string | null };

let setting: LiveSetting;
let url: string;
let key: string;
let here: FilledBuilding;
let there: FilledBuilding;
const document = openApiDocument() as {
  paths: Record<string, { get: { operationId: string; responses: Record<string, never> } }>;
};
const described = describedApi();

beforeAll(async () => {
  setting = await createLiveSetting({ limits: { person: LIMIT, anonymous: LIMIT } });
  url = setting.server.url;
  here = await fillBuilding(setting, setting.here);
  there = await fillBuilding(setting, setting.there);
  ({ key } = await createApiKey(setting.admin.client));
  const discipline = { operationId: uuidv7(), id: uuidv7(), name: 'Fire Safety' };
  await setting.admin.client.documents.disciplines.add.mutate(discipline);
});
afterAll(() => setting.end());

/** The lists that belong to a building. */
const IN_A_BUILDING = ['listTasks', 'listDocuments'];

/** The address of an operation, for the rows of a building. */
function addressOf({ path, id }: ReadOperation, ids: FilledBuilding): string {
  const kind = {
    issues: 'issue',
    tasks: 'task',
    documents: 'document',
    assets: 'asset',
    clients: 'client',
    buildings: 'building',
  } as const;
  const of = kind[path.split('/')[1] as keyof typeof kind];
  const filled = path.replace(/\{\w+\}/, ids[of]);
  if (id === 'listLogRecords') return `${filled}?kind=fire_alarm_test`;
  return IN_A_BUILDING.includes(id) ? `${filled}?buildingId=${ids.building}` : filled;
}

const ask = async (path: string, by = key) => {
  const answer = await callApi(url, by, path);
  // The cast: a test of the schemas covers it.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Page & Row };
};

const reads = readOperations.map((one) => [one.id, one as ReadOperation] as const);
describe('each operation that reads', () => {
  test.each(reads)('%s answers as described', async (_id, one) => {
    const { status, body } = await ask(addressOf(one, here));
    expect(status).toBe(200);
    expect(described.faultsIn(body, ['paths', one.path, 'get', 'responses', '200'])).toBeUndefined();
    const rows = one.answers === 'one' ? [body] : body.data;
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(Object.keys(row).sort()).toEqual(Object.keys(one.object.schema.shape).sort());
      // Parsing drops fields that the schema does not name, so this shows that nested values have no such field either.
      expect(one.object.schema.parse(row)).toEqual(row);
    }
  });

  test.each(reads)('%s needs its permission', async (_id, one) => {
    const others = API_PERMISSIONS.filter((permission) => permission !== one.permission);
    const narrow = await createApiKey(setting.admin.client, { permissions: others });
    const { status, body } = await ask(addressOf(one, here), narrow.key);
    expect([status, body['code']]).toEqual([403, 'forbidden']);
  });

  test.each(reads)('%s shows a key only its buildings', async (_id, one) => {
    const narrow = await createApiKey(setting.admin.client, { buildingIds: [here.building] });
    // People belong to the whole organisation, so a key for some buildings cannot have the permission.
    const expected = one.id === 'listPeople' ? 403 : 200;
    expect((await ask(addressOf(one, here), narrow.key)).status).toBe(expected);
    const { status, body } = await ask(addressOf(one, there), narrow.key);
    if (one.path.includes('{') || IN_A_BUILDING.includes(one.id))
      expect([one.id, status]).toEqual([one.id, 404]);
    const seen = status === 200 ? JSON.stringify(body) : '';
    for (const id of Object.values(there)) expect(seen).not.toContain(id);
  });

  test.each(reads)('%s refuses an unknown parameter', async (_id, one) => {
    const address = addressOf(one, here);
    const { status, headers, body } = await ask(`${address}${address.includes('?') ? '&' : '?'}limitt=1`);
    expect([status, headers.get('content-type')]).toEqual([400, PROBLEM]);
    expect(body).toMatchObject({ code: 'invalid', errors: { limitt: 'There is no such parameter' } });
  });
});

describe('a list', () => {
  test('is read to its end by cursors, filtered as in the app', async () => {
    for (const _ of Array.from({ length: 7 })) await setting.report(setting.here);
    const filter = `buildingId=${here.building}&statuses=open,resolved&priorities=low&priorities=medium`;
    const read: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = (await ask(`/issues?${filter}&limit=3${cursor && `&cursor=${cursor}`}`)).body;
      expect(page.data.length).toBeLessThanOrEqual(3);
      read.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    const { data } = await setting.admin.client.issues.list.query({
      filter: { buildingId: here.building, statuses: ['open', 'resolved'], priorities: ['low', 'medium'] },
    });
    expect(read).toEqual(data.rows.map(({ id }) => id));
    expect(read).toHaveLength(8);
  });

  test('of comments goes back to the first', async () => {
    for (const body of ['two', 'three']) {
      const said = { operationId: uuidv7(), id: uuidv7(), issueId: there.issue, body };
      await setting.admin.client.issues.comment.mutate(said);
    }
    const first = (await ask(`/issues/${there.issue}/comments?limit=2`)).body;
    expect(first.data.map(({ body }) => body)).toEqual(['two', 'three']);
    const second = (await ask(`/issues/${there.issue}/comments?limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ data: [{ body: 'Looked at it' }], nextCursor: null });
  });

  test('takes a question mark for itself', async () => {
    const { body } = await ask(`/issues?search=no such title?&buildingId=${here.building}`);
    expect(body.data).toEqual([]);
    const { status, body: refused } = await ask('/issues?search=what?&statuses=lost');
    expect([status, refused['errors']]).toEqual([400, { statuses: expect.any(String) }]);
  });

  test.each([
    ['limit=1000000', 'limit'],
    ['limit=ten', 'limit'],
    ['statuses=open,lost', 'statuses'],
    ['buildingId=1', 'buildingId'],
    ['cursor=bm90IGpzb24', 'cursor'],
    ['cursor=e30', 'cursor'],
    ['limit=1&limit=2', 'limit'],
  ])('refuses %s at its parameter', async (query, name) => {
    const { status, body } = await ask(`/issues?${query}`);
    expect([status, body['code'], Object.keys(body['errors'] ?? {})]).toEqual([400, 'invalid', [name]]);
  });
});

test('a task says whether it is compliant, by the day of the organisation', async () => {
  const { clock } = setting.server.services;
  const task = async () => (await ask(`/tasks/${here.task}`)).body;
  expect(await task()).toMatchObject({ status: 'non-compliant', isOverdue: false });
  await setting.admin.client.tasks.retire.mutate({ ...operation(), id: there.task, reason: 'Sold' });
  expect((await ask(`/tasks/${there.task}`)).body).toMatchObject({ status: null, isOverdue: false });
  await setting.admin.client.tasks.restore.mutate({ ...operation(), id: there.task });
  const { occurrence } = await setting.admin.client.tasks.get
    .query({ id: here.task })
    .then(({ data }) => data);
  const day = dayOf(clock.now(), 'Europe/London');
  await setting.admin.client.tasks.complete.mutate({ ...operation(), id: here.task, occurrence, day });
  expect(await task()).toMatchObject({ status: 'compliant', completedOn: day });
  const { data } = (await ask(`/tasks?buildingId=${here.building}`)).body;
  expect(data.find(({ id }) => id === here.task)).toMatchObject({ status: 'compliant', isOverdue: false });
});

test('a row has an ETag, which changes with every field that is sent', async () => {
  const etag = (await ask(`/assets/${here.asset}`)).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const again = (tag: string) => callApi(url, key, `/assets/${here.asset}`, { 'if-none-match': tag });
  expect((await again(etag)).status).toBe(304);
  expect((await again(`"0", W/${etag}`)).status).toBe(304);
  expect((await again('"0"')).status).toBe(200);
  // The name of the asset's building is part of the answer, and changes without the asset's version.
  await setting.admin.client.locations.updateBuilding.mutate({
    ...{ ...operation(), id: here.building },
    changes: { name: { from: 'Here', to: 'Here, renamed' } },
  });
  expect((await again(etag)).status).toBe(200);
});

describe('a key', () => {
  const statusBy = async (by: string) => (await callApi(url, by, '/assets')).status;

  test('is refused if it is unknown, malformed or missing', async () => {
    const unknown = `lintel_${randomBytes(32).toString('base64url')}`;
    for (const wrong of [unknown, key.slice(0, -1), key.toUpperCase(), `${key}=`, 'x']) {
      expect([wrong, await statusBy(wrong)]).toEqual([wrong, 401]);
    }
    const without = await fetch(`${url}/api/v1/assets`);
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Lintel"']);
    const refused = await callApi(url, unknown, '/assets');
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="Lintel", error="invalid_token"');
    expect(await without.json()).toMatchObject({
      status: 401,
      code: 'unauthenticated',
      title: 'Unauthorized',
    });
  });

  test('is no session, and a session is no key', async () => {
    const bySession = await fetch(`${url}/api/v1/assets`, { headers: headersFor(url, setting.admin.cookie) });
    expect(bySession.status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${url}/trpc/session.me`, { headers })).status).toBe(401);
    expect((await fetch(`${url}/files/export/assets.csv`, { headers })).status).toBe(401);
  });

  test('is refused from the moment in which it is revoked', async () => {
    const leaked = await createApiKey(setting.admin.client);
    expect(await statusBy(leaked.key)).toBe(200);
    await setting.admin.client.apiKeys.revoke.mutate({ operationId: uuidv7(), id: leaked.id });
    expect(await statusBy(leaked.key)).toBe(401);
  });

  test('ends with its time', async () => {
    const old = await createApiKey(setting.admin.client);
    const { db, clock } = setting.server.services;
    await db.update(apiKeys).set({ expiresAt: clock.now().toISOString() }).where(eq(apiKeys.id, old.id));
    expect(await statusBy(old.key)).toBe(401);
  });

  test.each([
    [
      'who loses the role',
      (userId: string) =>
        setting.admin.client.users.setRole.mutate({ ...operation(), userId, role: 'manager' }),
    ],
    [
      'who is deactivated',
      (userId: string) =>
        setting.admin.client.users.setActive.mutate({ ...operation(), userId, active: false }),
    ],
    [
      'who sets a new password by a link',
      async (userId: string) => {
        const { token = '' } = await setting.admin.client.users.makeLink.mutate({ ...operation(), userId });
        const client = createTestClient(url);
        await client.session.followLink.mutate({ token, password: 'a-password-of-my-own' });
      },
    ],
  ])('is revoked, in everybody’s sight, with an administrator %s', async (_name, end) => {
    const maker = await setting.someone('admin');
    const theirs = await createApiKey(maker.client);
    const stream = await setting.followed(setting.admin.cookie);
    expect(await statusBy(theirs.key)).toBe(200);
    await end(maker.id);
    expect(await statusBy(theirs.key)).toBe(401);
    await setting.newest();
    const told = () =>
      stream.events.filter(({ entity }) => entity === 'apiKey').map(({ entityId }) => entityId);
    await expect.poll(told).toEqual([theirs.id]);
    await setting.closeStreams();
    const { data } = await setting.admin.client.apiKeys.list.query();
    expect(data.map(({ id }) => id)).not.toContain(theirs.id);
  });

  test('is not left to an administrator who loses the role while creating it', async () => {
    const maker = await setting.someone('admin');
    const setRole = (role: 'manager' | 'admin') =>
      setting.admin.client.users.setRole.mutate({ ...operation(), userId: maker.id, role });
    const keys: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const creating = Array.from({ length: 3 }, () => createApiKey(maker.client));
      const [, ...created] = await Promise.allSettled([setRole('manager'), ...creating]);
      keys.push(...created.flatMap((one) => (one.status === 'fulfilled' ? [one.value.key] : [])));
      await setRole('admin');
    }
    for (const one of keys) expect(await statusBy(one)).toBe(401);
  });

  test('is announced to its maker', async () => {
    const maker = await setting.someone('admin');
    await createApiKey(maker.client);
    const { data } = await createTestClient(
      url,
      await signInAs(setting.server, { ...maker, role: 'admin' }),
    ).users.myNotices.query();
    expect(data.map(({ kind }) => kind)).toContain('api_key_created');
  });

  test('is stored as a hash, with its last use', async () => {
    const fresh = await createApiKey(setting.admin.client);
    const readUse = async () =>
      (await setting.admin.client.apiKeys.uses.query()).find(({ keyId }) => keyId === fresh.id);
    expect(await readUse()).toBeUndefined();
    await statusBy(fresh.key);
    await expect.poll(readUse).toMatchObject({ address: '127.0.0.1' });
    const { sql } = setting.owner;
    const rows = await sql`select row_to_json(k)::text as text from api_keys k union all
      select row_to_json(e)::text from outbox e union all select row_to_json(o)::text from applied_operations o`;
    for (const { text } of rows) expect(text).not.toContain(fresh.key.slice('lintel_'.length));
  });

  test('is created once, however often it is sent, and another with its hash is refused', async () => {
    const { client } = setting.admin;
    const input = {
      ...{
        operationId: uuidv7(),
        id: uuidv7(),
        hash: randomBytes(32).toString('hex'),
        name: 'Twice',
        days: 30 as const,
      },
      ...{ permissions: ['view_assets' as const], allBuildings: true, buildingIds: [] },
    };
    const [one, other] = await Promise.all([
      client.apiKeys.create.mutate(input),
      client.apiKeys.create.mutate(input),
    ]);
    expect(other).toEqual(one);
    const copy = { ...input, operationId: uuidv7(), id: uuidv7() };
    await expect(client.apiKeys.create.mutate(copy)).rejects.toMatchObject({
      data: { app: { code: 'duplicate' } },
    });
  });

  test('for some buildings does not read people', async () => {
    const narrow = createApiKey(setting.admin.client, {
      permissions: ['view_users'],
      buildingIds: [here.building],
    });
    await expect(narrow).rejects.toMatchObject({
      data: { app: { fields: { buildingIds: expect.any(String) } } },
    });
  });

  test('is created only while there is room', async () => {
    const { db, clock } = setting.server.services;
    const at = clock.now();
    const { data: valid } = await setting.admin.client.apiKeys.list.query();
    const rest = Array.from({ length: API_KEYS_MAX - 1 - valid.length }, (_, n) => ({
      ...{ id: uuidv7(), name: `Key ${n}`, hash: randomBytes(32).toString('hex'), allBuildings: true },
      ...{ permissions: [...API_PERMISSIONS], createdAt: at.toISOString(), createdBy: setting.admin.id },
      expiresAt: new Date(at.getTime() + 60_000).toISOString(),
    }));
    await db.insert(apiKeys).values(rest);
    const results = await Promise.allSettled(
      Array.from({ length: 3 }, () => createApiKey(setting.admin.client)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(createApiKey(setting.admin.client)).rejects.toMatchObject({
      data: { app: { code: 'invalid', fields: { name: expect.stringContaining('At most 100 keys') } } },
    });
    await db.delete(apiKeys).where(eq(apiKeys.createdAt, at.toISOString()));
  });
});

test('an address that is none, and a method that is none, get a problem', async () => {
  for (const path of ['/api', '/api/', '/api/v2', '/api/v1/nothing', '/api/v1/issues/%zz', '/api/v1/%']) {
    const answer = await fetch(`${url}${path}`);
    const status = path.includes('%') ? 400 : 404;
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, status, PROBLEM]);
  }
  const headers = { authorization: `Bearer ${key}` };
  const posted = await fetch(`${url}/api/v1/assets`, { method: 'PUT', headers, body: 'a=1' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect(posted.headers.get('content-type')).toBe(PROBLEM);
  const asked = await fetch(`${url}/api/v1/assets`, { method: 'HEAD', headers });
  expect([asked.status, await asked.text()]).toEqual([200, '']);
  expect((await ask('/assets/not-an-id')).body).toMatchObject({
    status: 400,
    errors: { id: expect.any(String) },
  });
});

test('the description and the reference are for everyone, and need no script', async () => {
  const described = await fetch(`${url}/api/v1/openapi.json`);
  expect(await described.json()).toEqual(JSON.parse(JSON.stringify(document)));
  const page = await fetch(`${url}/api/v1`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  expect(html).not.toContain('<script');
  for (const { path } of operations) expect(html).toContain(path);
});
