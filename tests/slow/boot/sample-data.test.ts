import { createHash } from 'node:crypto';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentVersions } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import { buildings } from '#db/schema/places.ts';
import { type Storage, StorageError } from '#server/adapters/storage/storage.ts';
import { storeOf } from '#server/features/files/store-of.ts';
import { createSampleData, type SampleData } from '#server/sample-data/create-sample-data.ts';
import { SAMPLE_ISSUES } from '#server/sample-data/sample-issues.ts';
import { actionLabel } from '#shared/features/activity/activity.vocabulary.ts';
import { PRESET_LOCATIONS } from '#shared/features/checks/kinds/fire-alarm.ts';
import { SAMPLE_SITE_ID } from '#shared/features/locations/locations.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let sample: SampleData;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  sample = await createSampleData(server.services);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function count(query: ReturnType<typeof sql>): Promise<number> {
  const [row] = await server.services.db.execute<{ n: number }>(query);
  return row?.n ?? 0;
}

test('its tasks are in every state that the compliance screen knows', async () => {
  const client = createTestClient(
    server.url,
    await signInAs(server, await createPerson(server.services, { role: 'admin' })),
  );
  const { summary, buildings } = (await client.tasks.overview.query()).data;
  for (const figure of Object.values(summary)) expect(figure).toBeGreaterThan(0);
  expect(buildings.length).toBeGreaterThan(3);
  const tasks = sql`select count(*)::int n from tasks where `;
  expect(await count(sql`${tasks} marked_on is not null`)).toBeGreaterThan(0);
  expect(await count(sql`${tasks} retired_at is not null`)).toBeGreaterThan(0);
  expect(await count(sql`${tasks} due <> grid_day`)).toBeGreaterThan(0);
  expect(await count(sql`${tasks} satisfied_by is not null and completed_on is not null`)).toBeGreaterThan(0);
  expect(await count(sql`${tasks} updated_at > now()`)).toBe(0);
});

test('its documents have their bytes, in every state that the documents’ screen knows', async () => {
  const rows = await server.services.db
    .select({ file: storedFiles, uploaded: documentVersions.fileSize })
    .from(documentVersions)
    .innerJoin(storedFiles, eq(storedFiles.id, documentVersions.fileId));
  expect(rows.length).toBeGreaterThan(15);
  for (const { file, uploaded } of rows) {
    const found = await storeOf(server.services, file).storage.get(file.key);
    const bytes = Buffer.concat((await found?.stream.toArray()) ?? []);
    expect({ bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') }).toEqual({
      bytes: uploaded,
      sha256: file.sha256,
    });
  }
  expect(new Set(rows.map(({ file }) => file.contentType))).toEqual(
    new Set(['application/pdf', 'image/png', 'text/csv', 'text/plain; charset=utf-8']),
  );
  const documents = sql`select count(*)::int n from building_documents where `;
  expect(await count(sql`${documents} expires_on < current_date`)).toBeGreaterThan(0);
  expect(
    await count(sql`${documents} expires_on between current_date and current_date + 30`),
  ).toBeGreaterThan(0);
  expect(await count(sql`${documents} completion_id is not null and expires_on is not null`)).toBeGreaterThan(
    0,
  );
  expect(await count(sql`${documents} current_version = 3`)).toBe(1);
  expect(await count(sql`${documents} is_folder`)).toBeGreaterThan(3);
  expect(await count(sql`${documents} modified_at > now()`)).toBe(0);
});

test('a PDF of it can be read, and a thumbnail is a picture', async () => {
  const [pdf] = await server.services.db
    .select()
    .from(storedFiles)
    .where(eq(storedFiles.contentType, 'application/pdf'))
    .limit(1);
  if (pdf === undefined) throw new Error('the sample has no PDF');
  const opened = await storeOf(server.services, pdf).storage.get(pdf.key);
  const data = new Uint8Array(Buffer.concat((await opened?.stream.toArray()) ?? []));
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data, isEvalSupported: false, verbosity: 0 });
  const page = await (await loading.promise).getPage(1);
  const { items } = await page.getTextContent();
  expect(items.length).toBeGreaterThan(5);
  await loading.destroy();
  const [version] = await server.services.db
    .select({ thumbnail: documentVersions.thumbnail })
    .from(documentVersions)
    .where(isNotNull(documentVersions.thumbnail))
    .limit(1);
  expect(version?.thumbnail?.subarray(8, 16).toString()).toBe('WEBPVP8L');
});

test('if its documents cannot be stored, the database stays empty', async () => {
  const empty = await createTestDatabase();
  const other = await startTestServer(empty);
  try {
    let stored = 0;
    const { disk } = other.services.stores;
    const storage: Storage = {
      ...disk.storage,
      put: (...given) => {
        stored += 1;
        return stored < 5 ? disk.storage.put(...given) : Promise.reject(new StorageError('full'));
      },
    };
    const stores = { ...other.services.stores, disk: { ...disk, storage } };
    await expect(createSampleData({ ...other.services, stores })).rejects.toThrow('full');
    for (const table of [buildings, documentVersions, storedFiles]) {
      expect(await other.services.db.$count(table)).toBe(0);
    }
  } finally {
    await other.stop();
    await empty.drop();
  }
});

test('Activity says in one line that safety checks were added', async () => {
  const client = createTestClient(
    server.url,
    await signInAs(server, await createPerson(server.services, { role: 'admin' })),
  );
  const lines = async () => {
    const { data } = await client.activity.list.query({ filter: {}, limit: 20 });
    return data.entries.map((entry) => actionLabel(entry)).filter((line) => line.includes('safety checks'));
  };
  // Activity lists events only after they have been sequenced, which follows the commit.
  await expect.poll(lines).toEqual(['added sample safety checks']);
});

test('the sample portfolio is there, with the four accounts', () => {
  expect(sample).toEqual({
    accounts: [
      { email: 'admin@example.com', role: 'admin' },
      { email: 'manager@example.com', role: 'manager' },
      { email: 'operative@example.com', role: 'operative' },
      { email: 'viewer@example.com', role: 'viewer' },
    ],
    password: 'lintel-demo',
  });
});

test('its issues stand at every point that an issue can stand at, and nothing happens in the future', async () => {
  const reported = sql`select count(*)::int n from building_issues where source = 'person'`;
  expect(await count(reported)).toBe(SAMPLE_ISSUES.length);
  expect(await count(sql`select count(distinct status)::int n from building_issues`)).toBe(4);
  expect(await count(sql`select count(distinct pause_reason)::int n from building_issues`)).toBe(3);
  expect(
    await count(sql`select count(*)::int n from building_issues where resolved_at <= resolve_due_at`),
  ).toBeGreaterThan(10);
  expect(
    await count(
      sql`select count(*)::int n from building_issues where resolve_due_at < coalesce(resolved_at, now())`,
    ),
  ).toBeGreaterThan(3);
  expect(
    await count(
      sql`select count(*)::int n from building_issues where source = 'person'
        and created_at < now() - interval '61 days'`,
    ),
  ).toBe(0);
  expect(await count(sql`select count(*)::int n from building_issues where updated_at > now()`)).toBe(0);
  expect(await count(sql`select count(*)::int n from issue_comments where created_at > now()`)).toBe(0);
  expect(await count(sql`select count(*)::int n from buildings where id = ${SAMPLE_SITE_ID}`)).toBe(1);
});

test('its history is told by events, in the order in which it happened', async () => {
  await expect.poll(() => count(sql`select count(*)::int n from outbox`)).toBe(0);
  expect(
    await count(sql`select count(*)::int n from building_issues i where i.version <>
      (select count(*) from events e where e.entity = 'issue' and e.entity_id = i.id)`),
  ).toBe(0);
  expect(
    await count(
      sql`select count(*)::int n from (select at, lag(at) over (order by g) as before from events) e where at < before`,
    ),
  ).toBe(0);
});

test('its manager and its viewer see what they were given', async () => {
  const [manager] = await server.services.db.execute<{ id: string }>(
    sql`select id from profiles where email = 'manager@example.com'`,
  );
  const cookie = await signInAs(server, { id: manager?.id ?? '', role: 'manager' });
  const { data } = await createTestClient(server.url, cookie).issues.counts.query({ filter: {} });
  expect(data.total).toBeGreaterThan(20);
  expect(data.total).toBeLessThan(SAMPLE_ISSUES.length);
});

test('its log book has a year of every kind, and of the site with the presets all of 2025', async () => {
  const rows = await server.services.db.execute<{ kind: string; sites: number }>(
    sql`select visit_type as kind, count(distinct location_id)::int as sites from operative_visits
      where visit_type <> 'false_alarm' group by 1`,
  );
  expect(rows.map(({ sites }) => sites)).toEqual([14, 14, 14, 14]);
  const [admin] = await server.services.db.execute<{ id: string }>(
    sql`select id from profiles where email = 'admin@example.com'`,
  );
  const cookie = await signInAs(server, { id: admin?.id ?? '', role: 'admin' });
  const client = createTestClient(server.url, cookie);
  const kind = 'fire_alarm_test';
  const { data } = await client.checks.logYear.query({ kind, year: 2025, buildingId: SAMPLE_SITE_ID });
  expect(data.startsOn).toBe('2025-01-03');
  expect(data.incidents).toHaveLength(2);
  expect(
    new Set(data.visits.flatMap(({ entries }) => entries.map(({ subjectName }) => subjectName))),
  ).toEqual(new Set(PRESET_LOCATIONS));
  const { data: grid } = await client.checks.yearGrid.query({ kind, year: 2025 });
  const cells = grid.sites.find(({ buildingId }) => buildingId === SAMPLE_SITE_ID)?.cells ?? '';
  expect(cells).toHaveLength(52);
  expect([...cells].filter((letter) => letter === 'p').length).toBeGreaterThan(48);
  expect([...cells].filter((letter) => letter === 'e')).toHaveLength(1);
  expect(data.missed).toHaveLength(1);
  const raised = sql`select count(*)::int n from check_entries where result = 'fail' and issue_id is null`;
  expect(await count(raised)).toBe(0);
  expect(
    await count(sql`select count(*)::int n from check_entries where retest_of is not null`),
  ).toBeGreaterThan(5);
  expect(await count(sql`select count(*)::int n from operative_visits where performed_at > now()`)).toBe(0);
});
