import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { archiveUrl } from '#shared/features/documents/document-archive.ts';
import { uuidv7 } from '#shared/ids.ts';
import { PATIENCE } from '#tests/support/patience.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createDisplay, displayHeaders } from '#tests/support/rows/displays.ts';
import { addFolder } from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs, type TestPerson } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// The reads of one person use no more than their share of the connections to the database, so other people's reads, saves
// and refusals are not delayed. To hold up reads, a test takes a lock for which reads of documents wait.

const SEARCHES = 60;
const EACH = 3;

let database: TestDatabase;
let server: TestServer;
let owner: Sql;
let buildingId: string;
let folderId: string;
let admin: TestClient;
let viewerCookie: string;
let viewer: TestClient;

async function someone(role: 'admin' | 'manager' | 'viewer'): Promise<TestPerson & { cookie: string }> {
  const person = await createPerson(server.services, { role, buildings: [buildingId] });
  return { ...person, cookie: await signInAs(server, person) };
}

beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  server = await startTestServer(database);
  buildingId = (await createBuilding(server.services)).id;
  admin = createTestClient(server.url, (await someone('admin')).cookie);
  viewerCookie = (await someone('viewer')).cookie;
  viewer = createTestClient(server.url, viewerCookie);
  folderId = await addFolder(admin, { buildingId, name: 'Plans' });
  // The application's login can read rows of documents only while nobody holds the lock. A statement waits for the lock
  // even after its timeout.
  await owner.unsafe(`
    create function documents_held() returns boolean language plpgsql set lock_timeout = 0 as $$
      begin
        loop
          begin
            perform pg_advisory_xact_lock_shared(1);
            return true;
          exception when query_canceled then null;
          end;
        end loop;
      end $$;
    alter table building_documents enable row level security;
    create policy held on building_documents using (documents_held());`);
});
afterAll(async () => {
  await owner.end();
  await server.stop();
  await database.drop();
});

beforeEach(() => owner`select pg_advisory_lock(1)`);
const release = () => owner`select pg_advisory_unlock_all()`;
afterEach(release);

/** The number of reads that wait for the lock. */
async function held(): Promise<number> {
  const [row] = await owner<{ n: number }[]>`
    select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and not granted and datname = current_database()`;
  return row?.n ?? 0;
}
const whenHeld = (n: number, waiting: number) =>
  vi.waitFor(
    async () => expect([await held(), server.services.reads.waiting()]).toEqual([n, waiting]),
    PATIENCE,
  );

function search(client: TestClient, signal?: AbortSignal) {
  const input = { buildingId, place: { at: 'building' }, search: 'plans' } as const;
  return client.documents.list.query(input, signal && { signal });
}

describe(`${SEARCHES} searches of one person`, () => {
  test('hold up no save, no session, no revocation and no read of another', async () => {
    const [manager, revoked] = [await someone('manager'), await someone('manager')];
    const other = createTestClient(server.url, manager.cookie);
    let answered = 0;
    const searches = Array.from({ length: SEARCHES }, () => search(viewer).finally(() => (answered += 1)));
    await whenHeld(EACH, SEARCHES - EACH);

    const title = 'Lamp is dark';
    const id = uuidv7();
    await other.issues.create.mutate({ operationId: uuidv7(), id, buildingId, title, description: 'Stairs' });
    expect((await other.issues.get.query({ id })).data.title).toBe(title);
    await admin.users.setActive.mutate({ operationId: uuidv7(), userId: revoked.id, active: false });
    const refusal = await refusalOf(createTestClient(server.url, revoked.cookie).issues.get.query({ id }));
    expect(refusal.code).toBe('unauthenticated');
    expect((await viewer.session.me.query()).data.role).toBe('viewer');

    expect(answered).toBe(0);
    expect(await held()).toBe(EACH);
    await release();
    for (const { data } of await Promise.all(searches)) expect(data.total).toBe(1);
    expect(server.services.reads.waiting()).toBe(0);
  });

  test('count one by one where they come in one request', async () => {
    const batching = createTestClient(server.url, viewerCookie, { batch: true });
    const searches = Array.from({ length: 20 }, () => search(batching));
    await whenHeld(EACH, 20 - EACH);
    await release();
    expect(await Promise.all(searches)).toHaveLength(20);
  });

  test('leave room for a second person who does the same, and for commands beside both', async () => {
    const second = createTestClient(server.url, (await someone('viewer')).cookie);
    const third = createTestClient(server.url, (await someone('viewer')).cookie);
    const searches = [viewer, second].flatMap((client) =>
      Array.from({ length: SEARCHES / 2 }, () => search(client)),
    );
    await whenHeld(2 * EACH, SEARCHES - 2 * EACH);
    searches.push(search(third));
    await whenHeld(2 * EACH, SEARCHES - 2 * EACH + 1);
    const issue = { id: uuidv7(), buildingId, title: 'Door sticks', description: 'Cellar' };
    await admin.issues.create.mutate({ operationId: uuidv7(), ...issue });
    await release();
    expect(await Promise.all(searches)).toHaveLength(SEARCHES + 1);
  });

  test('whose window is closed leave their places in the line', async () => {
    const windows = Array.from({ length: SEARCHES }, () => new AbortController());
    const searches = Promise.allSettled(windows.map(({ signal }) => search(viewer, signal)));
    await whenHeld(EACH, SEARCHES - EACH);
    for (const window of windows) window.abort();
    await whenHeld(EACH, 0);
    expect((await searches).every(({ status }) => status === 'rejected')).toBe(true);
    const after = search(viewer);
    await whenHeld(EACH, 1);
    await release();
    expect((await after).data.total).toBe(1);
  });
});

describe('a share belongs to', () => {
  test('a person, whether they ask by calls or for an archive', async () => {
    const archive = fetch(`${server.url}${archiveUrl([folderId])}`, {
      headers: headersFor(server.url, viewerCookie),
    });
    const searches = Array.from({ length: EACH }, () => search(viewer));
    await whenHeld(EACH, 1);
    await release();
    const [{ status }] = await Promise.all([archive, ...searches]);
    expect(status).toBe(200);
  });

  test('a display, and the network of callers without a session', async () => {
    const asked = vi.spyOn(server.services.reads, 'run');
    const display = await createDisplay(server.services);
    const headers = displayHeaders(server.url, display);
    await fetch(`${server.url}/trpc/displays.wall`, { headers });
    await createTestClient(server.url).session.setupState.query();
    expect(asked.mock.calls.map(([reader]) => reader)).toEqual([display.id, '127.0.0.1']);
    asked.mockRestore();
  });
});
