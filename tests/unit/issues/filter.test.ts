import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareIssues,
  createdBounds,
  matchesIssueFilter,
  nextChangeByClock,
} from '#shared/features/issues/issue-filter.ts';
import type { IssueFilter } from '#shared/features/issues/issues.ts';
import { ISSUE_DATE_RANGES, ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const issue = {
  id: '018f0000-0000-7000-8000-000000000001',
  buildingId: '018f0000-0000-7000-8000-0000000000aa',
  referenceNumber: 'HAR-0142',
  title: 'Lift 2 stuck',
  description: 'Between the floors',
  status: 'open',
  priority: 'high',
  assignedTo: null,
  createdAt: '2026-11-20T10:00:00.000Z',
} as const;

function matches(filter: IssueFilter, values: object = {}): boolean {
  return matchesIssueFilter(filter, { ...issue, ...values }, NOW);
}

describe('the filter of issues', () => {
  test('narrows by building, status, priority and person, and an empty choice narrows nothing', () => {
    expect(matches({})).toBe(true);
    expect(matches({ statuses: [], priorities: [] })).toBe(true);
    expect(matches({ statuses: ['open', 'closed'], priorities: ['high'] })).toBe(true);
    expect(matches({ statuses: ['closed'] })).toBe(false);
    expect(matches({ priorities: ['low'] })).toBe(false);
    expect(matches({ buildingId: issue.buildingId.toUpperCase() })).toBe(true);
    expect(matches({ buildingId: issue.id })).toBe(false);
    expect(matches({ assignedTo: issue.id })).toBe(false);
    expect(matches({ assignedTo: issue.id }, { assignedTo: issue.id })).toBe(true);
  });

  test.for([
    ['week', '2026-11-13T12:00:00.000Z', '2026-11-13T11:59:59.999Z'],
    ['month', '2026-10-20T12:00:00.000Z', '2026-10-20T11:59:59.999Z'],
    ['overdue', '2026-10-21T12:00:00.000Z', '2026-10-21T12:00:00.001Z'],
  ] as const)('%s has its bound inside', ([range, inside, outside]) => {
    expect(matches({ range }, { createdAt: inside })).toBe(true);
    expect(matches({ range }, { createdAt: outside })).toBe(false);
  });

  test('nothing resolved or closed is overdue', () => {
    const old = '2026-01-01T00:00:00.000Z';
    const overdue = ISSUE_STATUSES.filter((status) =>
      matches({ range: 'overdue' }, { createdAt: old, status }),
    );
    expect(overdue).toEqual(['open', 'in_progress']);
  });

  test('looks for a text in reference, title and description, whatever its case', () => {
    for (const search of ['har-01', 'LIFT', '  the Floors ', '']) expect(matches({ search })).toBe(true);
    expect(matches({ search: 'lift between' })).toBe(false);
    expect(matches({ search: '%' })).toBe(false);
    // A text without three letters or digits in a row is searched only at the beginning of the title.
    expect(matches({ search: 'Li' })).toBe(true);
    for (const search of ['if', 'ha', 'th', '-0']) expect(matches({ search })).toBe(false);
  });

  test('in a month after a longer one does not take back what has left', () => {
    const from = (iso: string) => createdBounds('month', Date.parse(iso)).from ?? 0;
    expect(new Date(from('2026-03-31T12:00:00.000Z')).toISOString()).toBe('2026-03-01T00:00:00.000Z');
    expect(from('2026-03-29T00:00:00.000Z')).toBeGreaterThan(from('2026-03-28T23:59:59.999Z'));
  });

  test('by the clock alone changes exactly when it says', () => {
    const year = 366 * 86_400_000;
    fc.assert(
      fc.property(
        fc.integer({ min: NOW - year, max: NOW + year }),
        fc.constantFrom(...ISSUE_DATE_RANGES),
        fc.constantFrom(...ISSUE_STATUSES),
        (created, range, status) => {
          const row = { ...issue, status, createdAt: new Date(created).toISOString() };
          const at = nextChangeByClock({ range }, row);
          const isIn = (now: number) => matchesIssueFilter({ range }, row, now);
          if (at === null) {
            expect(isIn(created + 1000 * year)).toBe(isIn(created));
            return;
          }
          const ms = Date.parse(at);
          expect(isIn(ms - 1)).toBe(range !== 'overdue');
          expect(isIn(ms)).toBe(range === 'overdue');
          expect(isIn(ms + year)).toBe(range === 'overdue');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test('issues are ordered newest first, then by id', () => {
  const rows = [
    { id: 'a', createdAt: '2026-11-20T10:00:00.000Z' },
    { id: 'b', createdAt: '2026-11-20T10:00:00.000Z' },
    { id: 'c', createdAt: '2026-11-20T10:00:00.001Z' },
  ];
  expect(rows.toSorted(compareIssues).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
