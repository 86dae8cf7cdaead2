import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import {
  compareIssues,
  matchesIssueFilter,
  nextChangeByClock,
} from '#shared/features/issues/issue-filter.ts';
import type { Issue, IssueFilter } from '#shared/features/issues/issues.ts';
import {
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
} from '#shared/features/issues/issues.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import {
  AWKWARD_WORDS,
  allPages,
  awkwardText,
  expectSameList,
  setUpListSetting,
} from '#tests/support/lists/list-setting.ts';
import { refusalOf, type TestClient } from '#tests/support/server/client.ts';

const NOW = Date.parse('2026-11-18T10:00:00.000Z');
const DAY_MS = 86_400_000;
/** Times at which issues enter or leave a date range, to the millisecond. */
const BOUNDS = [0, NOW - 7 * DAY_MS, NOW - 30 * DAY_MS, Date.parse('2026-10-18T10:00:00.000Z')];
const ROWS = 400;

let all: Issue[];

const setting = setUpListSetting(new Date(NOW).toISOString(), async ({ server, admin, ...made }) => {
  const rows = fc.sample(row([...made.buildingIds, made.archivedId], made.people), ROWS);
  await server.services.db.insert(buildingIssues).values(rows);
  all = await everything(admin, {});
});

const moment = fc.oneof(
  // Many in the same millisecond, so that the id decides the order.
  fc.constantFrom(...BOUNDS.map((bound) => bound || NOW)),
  fc.constantFrom(...BOUNDS.slice(1)).chain((bound) => fc.integer({ min: bound - 2, max: bound + 2 })),
  fc.integer({ min: NOW - 400 * DAY_MS, max: NOW }),
);

function row(buildingIds: readonly string[], people: readonly string[]) {
  return fc
    .record({
      id: fc.uuid(),
      buildingId: fc.constantFrom(...buildingIds),
      title: awkwardText,
      description: awkwardText,
      status: fc.constantFrom(...ISSUE_STATUSES),
      priority: fc.constantFrom(...ISSUE_PRIORITIES),
      assignedTo: fc.option(fc.constantFrom(...people)),
      createdAt: moment.map((ms) => new Date(ms).toISOString()),
    })
    .map((values) => ({ ...values, referenceNumber: `T-${values.id}`, updatedAt: values.createdAt }));
}

function filters(): fc.Arbitrary<IssueFilter> {
  const { buildingIds, people } = setting;
  return fc.record(
    {
      buildingId: fc.constantFrom(...buildingIds),
      statuses: fc.uniqueArray(fc.constantFrom(...ISSUE_STATUSES)),
      priorities: fc.uniqueArray(fc.constantFrom(...ISSUE_PRIORITIES)),
      range: fc.constantFrom(...ISSUE_DATE_RANGES),
      assignedTo: fc.constantFrom(...people),
      search: fc.oneof(fc.constantFrom(...AWKWARD_WORDS, 't-', '', ' '), awkwardText),
    },
    { requiredKeys: [] },
  );
}

function everything(client: TestClient, filter: IssueFilter, limit = 200): Promise<Issue[]> {
  return allPages(client.issues.list.query, { filter, limit });
}

/** Returns the next time at which the clock alone changes a list; the list must announce it. */
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
  test('say the same of every filter: which issues, and in which order', async () => {
    expect(all.length).toBeGreaterThan(ROWS / 2);
    await expectSameList<Issue, IssueFilter>(setting, {
      filters: filters(),
      read: (client, filter = {}, limit) => everything(client, filter, limit),
      matches: (filter, issue) => matchesIssueFilter(filter, issue, NOW),
      compare: compareIssues,
    });
  });

  test('say the same of every filter: how many, and until when', async () => {
    await fc.assert(
      fc.asyncProperty(filters(), fc.boolean(), async (filter, asManager) => {
        const { admin, manager, given } = setting;
        const client = asManager ? manager : admin;
        const mine = asManager ? all.filter(({ buildingId }) => given.includes(buildingId)) : all;
        const expected = mine.filter((issue) => matchesIssueFilter(filter, issue, NOW));
        const [counts, page] = await Promise.all([
          client.issues.counts.query({ filter }),
          client.issues.list.query({ filter, limit: 1 }),
        ]);
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
      { numRuns: 80 },
    );
  });
});

describe('a list of issues', () => {
  test('in pages of any length is the same list, without a row lost or doubled', async () => {
    for (const limit of [1, 7, 50]) {
      const some = all.slice(0, 60);
      const { data } = await setting.admin.issues.list.query({ filter: {}, limit });
      expect(data.rows.map(({ id }) => id)).toEqual(some.slice(0, limit).map(({ id }) => id));
    }
    const paged = await everything(setting.admin, {}, 13);
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('keeps its place while issues are reported', async () => {
    const { data: first } = await setting.admin.issues.list.query({ filter: {}, limit: 5 });
    const place = setting.buildingIds[4] ?? '';
    const id = uuidv7();
    await setting.admin.issues.create.mutate({ operationId: uuidv7(), id, buildingId: place, title: 'New' });
    const cursor = first.nextCursor ?? undefined;
    const { data: second } = await setting.admin.issues.list.query({
      filter: {},
      limit: 5,
      ...(cursor && { cursor }),
    });
    expect(second.rows.map((issue) => issue.id)).toEqual(all.slice(5, 10).map((issue) => issue.id));
    await setting.server.services.db.delete(buildingIssues).where(eq(buildingIssues.id, id));
  });

  test('of a building that is not theirs is empty, as of one that does not exist', async () => {
    const foreign = setting.buildingIds[4] ?? '';
    for (const buildingId of [foreign, uuidv7()]) {
      const { data } = await setting.manager.issues.list.query({ filter: { buildingId } });
      expect(data).toEqual({ rows: [], nextCursor: null, changesAt: null });
      const counts = await setting.manager.issues.counts.query({ filter: { buildingId } });
      expect(counts.data).toMatchObject({ total: 0, matching: 0 });
    }
    const hidden = all.find(({ buildingId }) => buildingId === foreign)?.id ?? '';
    expect(await refusalOf(setting.manager.issues.get.query({ id: hidden }))).toEqual({ code: 'not_found' });
    expect(await refusalOf(setting.manager.issues.get.query({ id: uuidv7() }))).toEqual({
      code: 'not_found',
    });
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
    const call = setting.admin.issues.list.query(
      input as unknown as Parameters<typeof setting.admin.issues.list.query>[0],
    );
    expect((await refusalOf(call)).code).toBe('invalid');
  });

  test('after a cursor from before all time is empty, not an error; so are its comments', async () => {
    const cursor = { createdAt: '0000-01-01T00:00:00.000Z', id: uuidv7() };
    const { data } = await setting.admin.issues.list.query({ filter: {}, cursor });
    expect(data.rows).toEqual([]);
    const [{ id } = { id: '' }] = all;
    expect((await setting.admin.issues.comments.query({ id, before: cursor })).data).toEqual([]);
  });
});
