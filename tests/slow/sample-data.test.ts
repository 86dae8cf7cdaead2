import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSampleData, type SampleData } from '#server/sample-data/create-sample-data.ts';
import { SAMPLE_ISSUES } from '#server/sample-data/sample-issues.ts';
import { actionLabel } from '#shared/features/activity.vocabulary.ts';
import { PRESET_LOCATIONS } from '#shared/features/checks/kinds/fire-alarm.ts';
import { SAMPLE_SITE_ID } from '#shared/features/locations.ts';
import { createTestClient } from '#tests/support/client.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createPerson, signInAs } from '#tests/support/factories.ts';
import { startTestServer, type TestServer } from '#tests/support/server.ts';

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
  await expect.poll(lines, { timeout: 20_000 }).toEqual(['added sample safety checks']);
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
  await expect.poll(() => count(sql`select count(*)::int n from outbox`), { timeout: 10_000 }).toBe(0);
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
