import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '#server/access/actor.ts';
import { countIssues, listIssues } from '#server/features/issues/issues.queries.ts';
import type { IssueFilter } from '#shared/features/issues/issues.ts';
import type { Role } from '#shared/permissions.ts';
import {
  createReader,
  createWatchedDatabase,
  READER,
  type WatchedDatabase,
} from '#tests/support/postgres/watched-database.ts';
import { createManyIssues } from '#tests/support/rows/many-issues.ts';

const ISSUES = 20_000;
const BUILDINGS = 400;
const NOW = new Date('2026-11-18T10:00:00.000Z');

let database: WatchedDatabase;
let buildings: string[];
let actor: (role: Role) => Actor;
const plansOf: WatchedDatabase['plansOf'] = (read) => database.plansOf(read);

beforeAll(async () => {
  database = await createWatchedDatabase();
  const size = { issues: ISSUES, buildings: BUILDINGS, now: NOW };
  buildings = await createManyIssues(database.sql, size);
  actor = await createReader(database, buildings, { oneIn: 40, now: NOW });
});
afterAll(() => database.drop());

const list = (role: Role, filter: IssueFilter) =>
  listIssues(database.db, actor(role), { filter, limit: 50 }, NOW);
const count = (role: Role, filter: IssueFilter) => countIssues(database.db, actor(role), filter, NOW);

describe('with many issues in the database', () => {
  test.for([
    ['all sites', 'admin', {}, 'building_issues_newest'],
    ['a column of the board', 'admin', { statuses: ['open'] }, 'building_issues_status_newest'],
    ['a long column of the board', 'admin', { statuses: ['closed'] }, 'building_issues_status_newest'],
    ['my sites', 'manager', {}, 'building_issues_building_'],
    ['a column of my sites', 'manager', { statuses: ['open'] }, 'building_issues_building_status_newest'],
    ['what is overdue', 'admin', { range: 'overdue' }, 'building_issues_'],
    ['a common text', 'admin', { search: 'gutter' }, 'building_issues_newest'],
    ['a rare text', 'admin', { search: 'of the visit 99999' }, 'building_issues_search'],
    ['what is mine', 'admin', { assignedTo: READER }, 'building_issues_assigned'],
  ] as const)('the list of %s is read from an index in its order', async ([, role, filter, index]) => {
    const copy: IssueFilter = structuredClone(filter) as IssueFilter;
    const plans = await plansOf(() => list(role, copy));
    expect(plans).toContain(index);
    expect(plans).not.toContain('Seq Scan on building_issues');
  });

  test('one building has its own index, with and without a status', async () => {
    const buildingId = buildings[7] ?? '';
    expect(await plansOf(() => list('admin', { buildingId }))).toContain('building_issues_building_newest');
    expect(await plansOf(() => list('admin', { buildingId, statuses: ['open'] }))).toContain(
      'building_issues_building_status_newest',
    );
  });

  test('the counts of a page that opens look at no issue at all', async () => {
    const filters: IssueFilter[] = [{}, { statuses: ['open'] }, { buildingId: buildings[7] ?? '' }];
    for (const role of ['admin', 'manager'] as const) {
      for (const filter of filters) {
        const plans = await plansOf(() => count(role, filter));
        expect(plans).toContain('issue_tallies');
        expect(plans).not.toContain('building_issues');
      }
    }
    const counts = await count('admin', {});
    expect(counts).toMatchObject({ total: ISSUES, matching: ISSUES });
    const [open] = await database.sql`select count(*)::int n from building_issues where status = 'open'`;
    expect(counts.byStatus.open).toBe(open?.['n']);
  });

  test('the counts of a filter by range and priority are read from an index alone', async () => {
    for (const filter of [
      { range: 'week' },
      { priorities: ['critical'] },
      { range: 'overdue' },
    ] as IssueFilter[]) {
      expect(await plansOf(() => count('admin', filter))).not.toContain('Seq Scan on building_issues');
    }
  });
});
