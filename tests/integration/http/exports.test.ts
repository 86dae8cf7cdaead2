import { request } from 'node:http';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { floors } from '#db/schema/places.ts';
import { PEOPLE_MAX } from '#shared/features/users/users.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { download } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let cookies: Record<'admin' | 'manager' | 'operative', string>;
let mine: TestBuilding;
let others: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  mine = await createBuilding(server.services, { name: 'Harbour House' });
  others = await createBuilding(server.services, { name: 'Secret House' });
  const cookieOf = async (role: 'admin' | 'manager' | 'operative') =>
    signInAs(
      server,
      await createPerson(server.services, { role, firstName: '=HYPERLINK', buildings: [mine.id] }),
    );
  cookies = {
    admin: await cookieOf('admin'),
    manager: await cookieOf('manager'),
    operative: await cookieOf('operative'),
  };
  const admin = createTestClient(server.url, cookies.admin);
  for (const [buildingId, title] of [
    [mine.id, '=1+1'],
    [mine.id, '+44 20'],
    [mine.id, 'Plain, "quoted"'],
    [mine.id, 'a;=1+1'],
    [mine.id, 'b;  @SUM(A1)|+2'],
    [mine.id, '＝1+1'],
    [others.id, 'Secret leak'],
  ] as const) {
    await admin.issues.create.mutate({ operationId: uuidv7(), id: uuidv7(), buildingId, title });
  }
  await admin.assets.create.mutate({
    operationId: uuidv7(),
    id: uuidv7(),
    buildingId: mine.id,
    name: '@SUM(A1)',
    description: '-2+3',
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const addFloor = ({ id: buildingId }: TestBuilding, name: string) =>
  server.services.db.insert(floors).values({
    id: uuidv7(),
    buildingId,
    level: 0,
    name,
    isBasement: false,
    createdAt: '2026-11-18T10:00:00.000Z',
  });

describe('a list as a file', () => {
  test('is UTF-8 with its mark, has a name, and no cell that a spreadsheet would reckon with', async () => {
    const response = await download(server.url, cookies.manager, 'issues');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="issues-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain(",'=1+1,");
    expect(text).toContain(",'+44 20,");
    expect(text).toContain('"Plain, ""quoted"""');
    // Also for spreadsheets that separate cells by semicolons or bars, and for full-width signs of East Asian
    // keyboards.
    expect(text).toContain(`,"a;'=1+1",`);
    expect(text).toContain(`,"b;  '@SUM(A1)|'+2",`);
    expect(text).toContain(",'＝1+1,");
    const assets = await (await download(server.url, cookies.manager, 'assets')).text();
    expect(assets).toContain(",'@SUM(A1),'-2+3,");
    const people = await (await download(server.url, cookies.admin, 'people')).text();
    expect(people).toContain("\n'=HYPERLINK,");
  });

  test('holds what the list holds: nothing of a building that one may not see', async () => {
    await addFloor(mine, '=Roof');
    await addFloor(others, 'Secret roof');
    for (const list of ['issues', 'locations', 'floors', 'assets']) {
      const theirs = await (await download(server.url, cookies.manager, list)).text();
      expect(theirs).not.toContain('Secret');
      expect(theirs).toContain('Harbour House');
    }
    const storeys = await (await download(server.url, cookies.manager, 'floors')).text();
    expect(storeys).toContain(`${mine.name},0,'=Roof\r\n`);
    const secret = await download(server.url, cookies.manager, 'floors', { buildingId: others.id });
    expect((await secret.text()).trim().split('\r\n')).toHaveLength(1);
    const clients = async (cookie: string) =>
      (await (await download(server.url, cookie, 'clients')).text()).trim().split('\r\n').length;
    expect([await clients(cookies.manager), await clients(cookies.admin)]).toEqual([2, 3]);
    expect(await (await download(server.url, cookies.admin, 'issues')).text()).toContain('Secret leak');
    const filtered = await download(server.url, cookies.admin, 'issues', { search: 'plain' });
    expect((await filtered.text()).trim().split('\r\n')).toHaveLength(2);
    const activity = await download(server.url, cookies.admin, 'activity', { buildingId: others.id });
    const lines = (await activity.text()).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('reported issue');
  });

  test('of the archive has what was put away, and of what', async () => {
    const away = await createBuilding(server.services, { name: 'Away House' });
    const admin = createTestClient(server.url, cookies.admin);
    await admin.issues.create.mutate({
      operationId: uuidv7(),
      id: uuidv7(),
      buildingId: away.id,
      title: 'Left behind',
    });
    await admin.locations.removeBuilding.mutate({ operationId: uuidv7(), id: away.id });
    const text = await (await download(server.url, cookies.admin, 'archive')).text();
    expect(text).toMatch(/\r\nBuilding,Away House,Client [^,]+,"[^"]+"\r\n/);
  });

  test('is refused to whom the list is refused', async () => {
    const status = async (cookie: string | undefined, list: string, filter?: object) =>
      (await download(server.url, cookie, list, filter)).status;
    expect(await status(undefined, 'issues')).toBe(401);
    expect(await status(cookies.operative, 'issues')).toBe(403);
    expect(await status(cookies.operative, 'locations')).toBe(403);
    expect(await status(cookies.operative, 'assets')).toBe(403);
    expect(await status(cookies.manager, 'people')).toBe(403);
    expect(await status(cookies.manager, 'activity')).toBe(403);
    expect(await status(cookies.manager, 'archive')).toBe(403);
    expect(await status(cookies.operative, 'clients')).toBe(403);
    expect(await status(cookies.operative, 'floors')).toBe(403);
    expect(await status(cookies.admin, 'constructor')).toBe(404);
    expect(await status(cookies.admin, 'issues', { nonsense: 1 })).toBe(400);
    const elsewhere = await fetch(`${server.url}/files/export/issues.csv`, {
      headers: { cookie: cookies.admin, 'sec-fetch-site': 'cross-site' },
    });
    expect(elsewhere.status).toBe(403);
  });
});

describe('files of one person', () => {
  /** Starts a request that can be aborted; `closed` resolves when its connection has closed. */
  function ask() {
    const url = `${server.url}/files/export/assets.csv`;
    const asked = request(url, { headers: headersFor(server.url, cookies.admin), agent: false });
    const closed = new Promise<void>((resolve) => asked.once('close', () => resolve()));
    const status = new Promise<number | undefined>((resolve) => {
      asked.once('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once('error', () => resolve(undefined));
    });
    asked.end();
    return {
      status,
      async cut() {
        asked.destroy();
        await closed;
      },
    };
  }

  /** Runs work while the table is locked, so that every export waits for its first page. */
  async function whileNothingIsRead(work: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
    const owner = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
    await owner.begin(async (tx) => {
      await tx`lock table assets in access exclusive mode`;
      await work(async () => (await tx.unsafe(LOCK_WAITS)).length);
    });
    await owner.end();
  }

  test('are two at a time, however many are asked for at once', async () => {
    let asked: ReturnType<typeof ask>[] = [];
    await whileNothingIsRead(async (waiting) => {
      asked = Array.from({ length: 25 }, ask);
      await expect.poll(waiting).toBe(2);
      const refused = asked.map(({ status }) => status.then((one) => one === 503));
      // Refusals are sent at once, while accepted requests still wait.
      await expect
        .poll(async () => {
          const known = await Promise.all(refused.map((one) => Promise.race([one, Promise.resolve(false)])));
          return known.filter((one) => one).length;
        })
        .toBe(23);
    });
    const statuses = await Promise.all(asked.map(({ status }) => status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  test('that are cut off before their first line give their place back', async () => {
    await whileNothingIsRead(async (waiting) => {
      const asked = [ask(), ask()];
      await expect.poll(waiting).toBe(2);
      await Promise.all(asked.map(({ cut }) => cut()));
    });
    await expect
      .poll(async () => [await ask().status, await ask().status, await ask().status])
      .toEqual([200, 200, 200]);
  });
});

test('the file of people holds all, where the list on the screen is cut and keeps the administrators', async () => {
  const { db } = server.services;
  // Many people created at the same time, so that a page ends among them; the administrator is older than all of them.
  await db.execute(sql`
    insert into profiles (id, email, first_name, last_name, created_at)
    select gen_random_uuid(), 'many-' || n || '@example.com', 'Many', 'Person ' || n, '2030-01-01'
    from generate_series(1, ${PEOPLE_MAX + 1}) n`);
  const admin = createTestClient(server.url, cookies.admin);
  const listed = (await admin.users.list.query()).data;
  expect(listed).toHaveLength(PEOPLE_MAX);
  expect(listed.filter(({ role }) => role === 'admin')).toHaveLength(1);
  expect(listed.at(-1)?.role).toBe('admin');
  const lines = async (filter?: object) =>
    (await (await download(server.url, cookies.admin, 'people', filter)).text())
      .trim()
      .split('\r\n')
      .slice(1);
  const all = await lines();
  expect(all).toHaveLength(PEOPLE_MAX + 1 + 3);
  expect(new Set(all.map((line) => line.split(',')[2])).size).toBe(all.length);
  expect(await lines({ search: 'person 4999' })).toHaveLength(1);
});
