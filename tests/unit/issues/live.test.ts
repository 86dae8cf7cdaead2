import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareIssues, matchesIssueFilter } from '#shared/features/issues/issue-filter.ts';
import type { Issue, IssueCounts, IssueFilter, IssuePage } from '#shared/features/issues/issues.ts';
import {
  ISSUE_DATE_RANGES,
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
} from '#shared/features/issues/issues.vocabulary.ts';
import { BLANK_BUILDING } from '#shared/features/locations/building-fields.ts';
import type { Changes, LivePut } from '#shared/live/live.ts';
import { foldIssueCounts } from '#web/features/issues/fold-issue-list.ts';
import { issueList } from '#web/features/issues/issues.live.ts';
import { countOf, countText } from '#web/features/issues/list/count-text.ts';
import type { LiveChange } from '#web/live/types.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const BUILDINGS = ['11111111-0000-7000-8000-000000000001', '11111111-0000-7000-8000-000000000002'];
const PEOPLE = ['22222222-0000-7000-8000-000000000001', '22222222-0000-7000-8000-000000000002'];

function issueOf(part: Partial<Issue> & { n: number }): Issue {
  const { n, ...rest } = part;
  const id = `33333333-0000-7000-8000-${String(n).padStart(12, '0')}`;
  return {
    id,
    referenceNumber: `HAR-${String(n).padStart(4, '0')}`,
    buildingId: BUILDINGS[0] ?? '',
    buildingName: 'Harbour House',
    title: `Issue ${n}`,
    description: '',
    status: 'open',
    priority: 'medium',
    source: 'person',
    reportedBy: PEOPLE[0] ?? null,
    reportedByName: 'Ada Hall',
    reportedByKey: null,
    assignedTo: null,
    assignedToName: null,
    createdAt: '2026-11-18T09:00:00.000Z',
    updatedAt: '2026-11-18T09:00:00.000Z',
    resolvedAt: null,
    respondedAt: null,
    respondDueAt: null,
    resolveDueAt: null,
    pauseReason: null,
    pausedAt: null,
    acknowledgedAt: null,
    acknowledgedByName: null,
    version: 1,
    ...rest,
  };
}

let position = 0;
function putOf(row: Issue, changes: Changes | null): LivePut<'issue'> {
  position += 1;
  return {
    g: position,
    outboxId: String(position),
    at: row.updatedAt,
    actor: PEOPLE[0] ?? null,
    command: changes === null ? 'issues.create' : 'issues.update',
    entity: 'issue',
    entityId: row.id,
    version: row.version,
    operationId: null,
    op: 'put',
    row,
    changes,
  };
}

function renamed(name: string): LivePut<'building'> {
  const id = BUILDINGS[0] ?? '';
  const row = {
    id,
    ...BLANK_BUILDING,
    code: 'HAR',
    name,
    clientId: PEOPLE[0] ?? '',
    clientName: 'Harbour & Vale',
    floorCount: 0,
    archivedAt: null,
    version: 2,
  };
  const { entityId: _, ...envelope } = putOf(issueOf({ n: 1 }), {});
  return { ...envelope, entity: 'building', entityId: id, version: 2, row };
}

const anIssue = (n: number) =>
  fc
    .record({
      buildingId: fc.constantFrom(...BUILDINGS),
      status: fc.constantFrom(...ISSUE_STATUSES),
      priority: fc.constantFrom(...ISSUE_PRIORITIES),
      assignedTo: fc.constantFrom(null, ...PEOPLE),
      title: fc.constantFrom('Lift stuck', 'Roof LEAK', 'gate hinge', 'Lift door'),
      daysOld: fc.constantFrom(0, 3, 6, 8, 20, 29, 31, 60),
    })
    .map(({ daysOld, ...rest }) =>
      issueOf({ n, ...rest, createdAt: new Date(NOW - daysOld * 86_400_000 - n).toISOString() }),
    );

const aFilter: fc.Arbitrary<IssueFilter> = fc.record(
  {
    buildingId: fc.constantFrom(...BUILDINGS),
    statuses: fc.subarray([...ISSUE_STATUSES], { minLength: 1 }),
    priorities: fc.subarray([...ISSUE_PRIORITIES], { minLength: 1 }),
    range: fc.constantFrom(...ISSUE_DATE_RANGES),
    assignedTo: fc.constantFrom(...PEOPLE),
    search: fc.constantFrom('lift', 'leak', 'HAR-0003', 'nothing like it'),
  },
  { requiredKeys: [] },
);

const aStep = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), row: fc.nat(500).chain((n) => anIssue(1000 + n)) }),
  fc.record({
    kind: fc.constant('edit' as const),
    which: fc.nat(40),
    status: fc.constantFrom(...ISSUE_STATUSES),
    priority: fc.constantFrom(...ISSUE_PRIORITIES),
    assignedTo: fc.constantFrom(null, ...PEOPLE),
    title: fc.constantFrom('Lift stuck', 'Roof leak', 'Gate'),
  }),
);

function pageOf(all: readonly Issue[], filter: IssueFilter, limit: number): IssuePage {
  const rows = all.filter((row) => matchesIssueFilter(filter, row, NOW)).sort(compareIssues);
  const last = rows[limit - 1];
  const more = rows.length > limit && last !== undefined;
  return {
    rows: rows.slice(0, limit),
    nextCursor: more ? { createdAt: last.createdAt, id: last.id } : null,
    changesAt: null,
  };
}

function fold(page: IssuePage, event: LiveChange<'issue' | 'building'>, filter: IssueFilter): IssuePage {
  const next = issueList.apply(page, event, { input: filter, now: NOW });
  if (next === 'refetch') throw new Error('the list asks again');
  return next;
}

function countsOf(all: readonly Issue[], filter: IssueFilter): IssueCounts {
  const scope: IssueFilter = filter.buildingId === undefined ? {} : { buildingId: filter.buildingId };
  const matching = all.filter((row) => matchesIssueFilter(filter, row, NOW));
  const byStatus = { open: 0, in_progress: 0, resolved: 0, closed: 0 };
  for (const row of matching) byStatus[row.status] += 1;
  const total = all.filter((row) => matchesIssueFilter(scope, row, NOW)).length;
  return { total, matching: matching.length, byStatus, leastOf: [], changesAt: null };
}

function numbersOf({ total, matching, byStatus }: IssueCounts) {
  return { total, matching, byStatus };
}

type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;
function eventOf(all: Map<string, Issue>, step: Step): LivePut<'issue'> | undefined {
  if (step.kind === 'create') {
    if (all.has(step.row.id)) return undefined;
    all.set(step.row.id, step.row);
    return putOf(step.row, null);
  }
  const rows = [...all.values()];
  const old = rows[step.which % Math.max(1, rows.length)];
  if (old === undefined) return undefined;
  const { status, priority, assignedTo, title } = step;
  const row: Issue = { ...old, status, priority, assignedTo, title, version: old.version + 1 };
  all.set(row.id, row);
  const changes: Changes = {};
  for (const field of ['status', 'priority', 'assignedTo', 'title'] as const) {
    if (old[field] !== row[field]) changes[field] = [old[field], row[field]];
  }
  return putOf(row, changes);
}

const manyIssues = fc
  .nat(30)
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, n) => anIssue(n + 1))))
  .map((rows): Issue[] => rows);

describe('a loaded list of issues', () => {
  test('holds after any changes exactly what asking again would bring', () => {
    fc.assert(
      fc.property(manyIssues, aFilter, fc.array(aStep, { maxLength: 30 }), (rows, filter, steps) => {
        const all = new Map(rows.map((row) => [row.id, row]));
        let page = pageOf(rows, filter, 1000);
        for (const step of steps) {
          const event = eventOf(all, step);
          if (event !== undefined) page = fold(page, event, filter);
        }
        const again = pageOf([...all.values()], filter, 1000);
        expect(page.rows).toEqual(again.rows);
      }),
    );
  });

  test('never shows a row beyond what is loaded, and misses none within', () => {
    fc.assert(
      fc.property(manyIssues, aFilter, fc.array(aStep, { maxLength: 30 }), (rows, filter, steps) => {
        const all = new Map(rows.map((row) => [row.id, row]));
        const first = pageOf(rows, filter, 5);
        const end = first.nextCursor;
        let page = first;
        for (const step of steps) {
          const event = eventOf(all, step);
          if (event !== undefined) page = fold(page, event, filter);
        }
        const last = rows.find((row) => row.id === end?.id);
        const within = pageOf([...all.values()], filter, 1000).rows.filter(
          (row) => last === undefined || compareIssues(row, last) <= 0,
        );
        expect(page.rows.map((row) => row.id)).toEqual(within.map((row) => row.id));
      }),
    );
  });

  test('is left as it is by a change that it has already seen', () => {
    const row = issueOf({ n: 1, version: 3 });
    const page = pageOf([row], {}, 50);
    expect(fold(page, putOf({ ...row, title: 'Older', version: 2 }, null), {})).toBe(page);
    expect(fold(page, putOf({ ...row, title: 'Again', version: 3 }, null), {})).toBe(page);
  });

  test('keeps every other row the same object, so that only the changed card is drawn again', () => {
    const rows = [issueOf({ n: 3 }), issueOf({ n: 2 }), issueOf({ n: 1 })];
    const page = pageOf(rows, {}, 50);
    const next = fold(page, putOf(issueOf({ n: 2, title: 'Changed', version: 2 }), {}), {});
    expect(next.rows.map((row, at) => row === page.rows[at])).toEqual([true, false, true]);
  });

  test('carries the new name of a building, and leaves what lies elsewhere as it is', () => {
    const elsewhere = issueOf({ n: 1, buildingId: BUILDINGS[1] ?? '', buildingName: 'Mill Lane' });
    const page = pageOf([issueOf({ n: 2 }), elsewhere], {}, 50);
    const next = fold(page, renamed('Harbour Point'), {});
    expect(next.rows.map((row) => row.buildingName)).toEqual(['Harbour Point', 'Mill Lane']);
    expect(next.rows[1]).toBe(elsewhere);
    expect(fold(next, renamed('Harbour Point'), {})).toBe(next);
  });

  test('takes of a row in two pages the copy with the higher version', () => {
    const newer = issueOf({ n: 2, version: 4, title: 'Newer' });
    const first = pageOf([issueOf({ n: 3 }), newer], {}, 50);
    const further = pageOf([issueOf({ n: 2, version: 2 }), issueOf({ n: 1 })], {}, 50);
    const joined = issueList.merge(first, further, {});
    expect(joined.rows.map((row) => [row.referenceNumber, row.version])).toEqual([
      ['HAR-0003', 1],
      ['HAR-0002', 4],
      ['HAR-0001', 1],
    ]);
  });
});

describe('the counts of issues', () => {
  test('are after any changes exactly what counting again would bring', () => {
    fc.assert(
      fc.property(manyIssues, aFilter, fc.array(aStep, { maxLength: 30 }), (rows, filter, steps) => {
        const all = new Map(rows.map((row) => [row.id, row]));
        let counts: IssueCounts | 'refetch' = countsOf(rows, filter);
        for (const step of steps) {
          const event = eventOf(all, step);
          if (event !== undefined && counts !== 'refetch')
            counts = foldIssueCounts(counts, event, filter, NOW);
        }
        expect(counts === 'refetch' ? counts : numbersOf(counts)).toEqual(
          numbersOf(countsOf([...all.values()], filter)),
        );
      }),
    );
  });
});

describe('counts up to a number', () => {
  const counts: IssueCounts = {
    total: 5_000,
    matching: 1_003,
    byStatus: { open: 1_000, in_progress: 3, resolved: 0, closed: 0 },
    leastOf: ['open'],
    changesAt: null,
  };
  const folded = (row: Issue, changes: Changes | null) =>
    foldIssueCounts(counts, putOf(row, changes), { search: 'lift' }, NOW);

  test('stay what they are while more come, and are asked for again when one goes', () => {
    expect(folded(issueOf({ n: 1, title: 'Lift' }), null)).toEqual({ ...counts, total: 5_001 });
    const moved = issueOf({ n: 1, title: 'Lift', status: 'open', version: 2 });
    expect(folded(moved, { status: ['in_progress', 'open'] })).toMatchObject({
      matching: 1_002,
      byStatus: { open: 1_000, in_progress: 2 },
    });
    expect(folded({ ...moved, status: 'closed' }, { status: ['open', 'closed'] })).toBe('refetch');
  });

  test('are shown as such', () => {
    expect(countText(counts, true)).toBe('Showing 1,000+ of 5000 issues');
    expect(countText({ ...counts, leastOf: [] }, true)).toBe('Showing 1003 of 5000 issues');
    expect(countText(counts, false)).toBe('5000 issue(s)');
    expect([countOf(counts, 'open'), countOf(counts, 'in_progress')]).toEqual(['1,000+', '3']);
  });
});
