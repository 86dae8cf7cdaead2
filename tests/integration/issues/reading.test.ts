import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import {
  compareIssues,
  matchesIssueFilter,
  nextChangeByClock,
} from '#shared/features/issues/issue-filter.ts';
import type { Issue, IssueCursor, IssueFilter } from '#shared/features/issues/issues.ts';
import {
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
} from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const NOW = Date.parse('2026-11-18T10:00:00.000Z');
const DAY_MS = 86_400_000;
/** Times at which issues enter or leave a date range, to the millisecond. */
const BOUNDS = [0, NOW - 7 * DAY_MS, NOW - 30 * DAY_MS, Date.parse('2026-10-18T10:00:00.000Z')];
/** Words with special case folding, escape characters or separators. */
const WORDS = [
  'lift',
  'LIFT',
  'Ämter',
  'äMTER',
  'İ',
  'i',
  'ΟΔΟΣ',
  'οδος',
  '50%',
  'a_b',
  'a\\b',
  "o'c",
  'x\ny',
  '😀',
  'ẞ',
  'ß',
];
const ROWS = 400;

let database: TestDatabase;
let server: TestServer;
let buildings: TestBuilding[];
let people: string[];
let admin: TestClient;
let manager: TestClient;
let given: string[];
let all: Issue[];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { clock: testClock(new Date(NOW).toISOString()) });
  buildings = [];
  for (let n = 0; n < 5; n += 1) buildings.push(await createBuilding(server.services));
  const archived = await createBuilding(server.services, { archivedAt: new Date(NOW).toISOString() });
  given = buildings.slice(0, 2).map(({ id }) => id);
  const adminPerson = await createPerson(server.services, { role: 'admin' });
  const managerPerson = await createPerson(server.services, {
    role: 'manager',
    buildings: [...given, archived.id],
  });
  people = [adminPerson.id, managerPerson.id];
  admin = createTestClient(server.url, await signInAs(server, adminPerson));
  manager = createTestClient(server.url, await signInAs(server, managerPerson));
  await server.services.db.insert(buildingIssues).values(fc.sample(row([...buildings, archived]), ROWS));
  all = await everything(admin, {});
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(' '));
const moment = fc.oneof(
  // Many in the same millisecond, so that the id decides the order.
  fc.constantFrom(...BOUNDS.map((bound) => bound || NOW)),
  fc.constantFrom(...BOUNDS.slice(1)).chain((bound) => fc.integer({ min: bound - 2, max: bound + 2 })),
  fc.integer({ min: NOW - 400 * DAY_MS, max: NOW }),
);

function row(places: readonly TestBuilding[]) {
  return fc
    .record({
      id: fc.uuid(),
      buildingId: fc.constantFrom(...places.map(({ id }) => id)),
      title: words,
      description: words,
      status: fc.constantFrom(...ISSUE_STATUSES),
      priority: fc.constantFrom(...ISSUE_PRIORITIES),
      assignedTo: fc.option(fc.constantFrom(...people)),
      createdAt: moment.map((ms) => new Date(ms).toISOString()),
    })
    .map((values) => ({ ...values, referenceNumber: `T-${values.id}`, updatedAt: values.createdAt }));
}

function filters(): fc.Arbitrary<IssueFilter> {
  return fc.record(
    {
      buildingId: fc.constantFrom(...buildings.map(({ id }) => id)),
      statuses: fc.uniqueArray(fc.constantFrom(...ISSUE_STATUSES)),
      priorities: fc.uniqueArray(fc.constantFrom(...ISSUE_PRIORITIES)),
      range: fc.constantFrom(...ISSUE_DATE_RANGES),
      assignedTo: fc.constantFrom(...people),
      search: fc.oneof(fc.constantFrom(...WORDS, 't-', '', ' '), words),
    },
    { requiredKeys: [] },
  );
}

async function everything(client: TestClient, filter: IssueFilter, limit = 200): Promise<Issue[]> {
  const rows: Issue[] = [];
  let cursor: IssueCursor | undefined;
  do {
    const { data } = await client.issues.list.query({ filter, limit, ...(cursor && { cursor }) });
    rows.push(...data.rows);
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** Returns the time of the next change by the clock that a list must announce. */
function firstChange(filter: IssueFilter, rows: readonly Issue[]): string | null {
  const { range, ...timeless } = filter;
  const moments = rows
    .filter((issue) => matchesIssueFilter(timeless, issue, NOW))
    .map((issue) => nextChangeByClock({ range }, issue))
    .filter((at) => at !== null)
    .filter((at) => Date.parse(at) > NOW);
  return moments.toSorted()[0] ?? null;
}

describe('SQL and JavaScript', () => {
  test('say the same of every filter: which issues, in which order, how many, and until when', async () => {
    expect(all.length).toBeGreaterThan(ROWS / 2);
    await fc.assert(
      fc.asyncProperty(filters(), fc.boolean(), async (filter, asManager) => {
        const client = asManager ? manager : admin;
        const mine = asManager ? all.filter(({ buildingId }) => given.includes(buildingId)) : all;
        const expected = mine
          .filter((issue) => matchesIssueFilter(filter, issue, NOW))
          .toSorted(compareIssues);
        const [rows, counts, page] = await Promise.all([
          everything(client, filter),
          client.issues.counts.query({ filter }),
          client.issues.list.query({ filter, limit: 1 }),
        ]);
        expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        const inScope = mine.filter(
          ({ buildingId }) => filter.buildingId === undefined || filter.buildingId === buildingId,
        );
        const byStatus = Object.fromEntries(
          ISSUE_STATUSES.map((status) => [
            status,
            expected.filter((issue) => issue.status === status).length,
          ]),
        );
        const changesAt = firstChange(filter, mine);
        expect(counts.data).toEqual({
          total: inScope.length,
          matching: expected.length,
          byStatus,
          leastOf: [],
          changesAt,
        });
        expect(page.data.changesAt).toBe(changesAt);
      }),
      { numRuns: 120 },
    );
  });
});

describe('a list of issues', () => {
  test('in pages of any length is the same list, without a row lost or doubled', async () => {
    for (const limit of [1, 7, 50]) {
      const some = all.slice(0, 60);
      const { data } = await admin.issues.list.query({ filter: {}, limit });
      expect(data.rows.map(({ id }) => id)).toEqual(some.slice(0, limit).map(({ id }) => id));
    }
    const paged = await everything(admin, {}, 13);
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('keeps its place while issues are reported', async () => {
    const { data: first } = await admin.issues.list.query({ filter: {}, limit: 5 });
    const place = buildings[4]?.id ?? '';
    const id = uuidv7();
    await admin.issues.create.mutate({ operationId: uuidv7(), id, buildingId: place, title: 'New' });
    const cursor = first.nextCursor ?? undefined;
    const { data: second } = await admin.issues.list.query({
      filter: {},
      limit: 5,
      ...(cursor && { cursor }),
    });
    expect(second.rows.map((issue) => issue.id)).toEqual(all.slice(5, 10).map((issue) => issue.id));
    await server.services.db.delete(buildingIssues).where(eq(buildingIssues.id, id));
  });

  test('of a building that is not theirs is empty, as of one that does not exist', async () => {
    const foreign = buildings[4]?.id ?? '';
    for (const buildingId of [foreign, uuidv7()]) {
      const { data } = await manager.issues.list.query({ filter: { buildingId } });
      expect(data).toEqual({ rows: [], nextCursor: null, changesAt: null });
      const counts = await manager.issues.counts.query({ filter: { buildingId } });
      expect(counts.data).toMatchObject({ total: 0, matching: 0 });
    }
    const hidden = all.find(({ buildingId }) => buildingId === foreign)?.id ?? '';
    expect(await refusalOf(manager.issues.get.query({ id: hidden }))).toEqual({ code: 'not_found' });
    expect(await refusalOf(manager.issues.get.query({ id: uuidv7() }))).toEqual({ code: 'not_found' });
  });

  test.for([
    ['an unknown status', { filter: { statuses: ['done'] } }],
    ['an unknown field', { filter: { colour: 'red' } }],
    ['an overlong search', { filter: { search: 'x'.repeat(101) } }],
    ['a text that no column can hold', { filter: { search: 'a\ud800' } }],
    ['a building that is no id', { filter: { buildingId: "' or true" } }],
    ['a cursor that is none', { filter: {}, cursor: { createdAt: 'yesterday', id: uuidv7() } }],
    ['a page too long', { filter: {}, limit: 201 }],
    ['a page of nothing', { filter: {}, limit: 0 }],
  ] as const)('with %s is refused', async ([, input]) => {
    // The cast: deliberately invalid input.
    const call = admin.issues.list.query(input as unknown as Parameters<typeof admin.issues.list.query>[0]);
    expect((await refusalOf(call)).code).toBe('invalid');
  });

  test('after a cursor from before all time is empty, not an error', async () => {
    const cursor = { createdAt: '0000-01-01T00:00:00.000Z', id: uuidv7() };
    const { data } = await admin.issues.list.query({ filter: {}, cursor });
    expect(data.rows).toEqual([]);
  });

  test('and its comments: a cursor on a day that the database does not have is refused', async () => {
    const { data } = await admin.issues.list.query({ filter: {}, limit: 1 });
    const before = { createdAt: '0000-01-01T00:00:00.000Z', id: uuidv7() };
    const call = admin.issues.comments.query({ id: data.rows[0]?.id ?? '', before });
    expect((await refusalOf(call)).code).toBe('invalid');
  });
});
