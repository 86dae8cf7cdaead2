import { ISSUE_PAGE_MAX } from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import { textOf } from './largest.ts';
import { EVERYWHERE_OK, type ExpectationsOf, operation } from './row.ts';

export const issues: ExpectationsOf<'issues'> = {
  'issues.list': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ filter: { search: 'lamp' }, limit: ISSUE_PAGE_MAX }),
  },
  'issues.counts': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: () => ({ filter: { search: 'lamp' } }),
  },
  'issues.get': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
    largest: ({ issueId }) => ({ id: issueId }),
  },
  'issues.comments': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
    largest: ({ issueId }) => ({ id: issueId }),
  },
  'issues.history': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
    largest: ({ issueId }) => ({ id: issueId }),
  },
  'issues.assignees': {
    kind: 'query',
    needs: 'edit_building_issues',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'issues.nextReference': {
    kind: 'query',
    needs: 'create_building_issues',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'issues.create': {
    kind: 'mutation',
    needs: 'create_building_issues',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId,
      title: 'From the sweep',
    }),
    largest: ({ siteId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId: siteId,
      title: textOf(200),
      description: textOf(5_000),
    }),
  },
  'issues.update': {
    kind: 'mutation',
    needs: 'manage_building_issues',
    declares: { provenByCommand: true },
    input: ({ issueId }) => ({
      ...operation(),
      id: issueId,
      changes: { description: { from: '', to: '' } },
    }),
    largest: ({ issues }, n) => ({
      ...operation(),
      id: issues[n],
      changes: { status: { from: 'open', to: 'in_progress' } },
    }),
  },
  // The issue is not critical.
  'issues.acknowledge': {
    kind: 'mutation',
    needs: 'manage_building_issues',
    declares: { provenByCommand: true },
    input: ({ issueId }) => ({ ...operation(), id: issueId }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
    largest: ({ issues }, n) => ({ ...operation(), id: issues[10 + n] }),
  },
  'issues.comment': {
    kind: 'mutation',
    // Also allowed for the issue's reporter, but none of these callers is.
    needs: 'edit_building_issues',
    declares: { guard: 'signedIn', provenByCommand: true },
    input: ({ issueId }) => ({ ...operation(), id: uuidv7(), issueId, body: 'From the sweep' }),
    exceptions: {
      viewer: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      noRole: 'not_found',
    },
    largest: ({ issueId }) => ({ ...operation(), id: uuidv7(), issueId, body: textOf(5_000) }),
  },
};
