import { uuidv7 } from '#shared/ids.ts';
import { EVERYWHERE_OK, type ExpectationsOf, operationId } from './row.ts';

export const issues: ExpectationsOf<'issues'> = {
  'issues.list': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'issues.counts': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ buildingId }) => ({ filter: { buildingId } }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'issues.get': { kind: 'query', needs: 'view_building_issues', input: ({ issueId }) => ({ id: issueId }) },
  'issues.comments': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
  },
  'issues.history': {
    kind: 'query',
    needs: 'view_building_issues',
    input: ({ issueId }) => ({ id: issueId }),
  },
  'issues.assignees': {
    kind: 'query',
    needs: 'edit_building_issues',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'issues.nextReference': {
    kind: 'query',
    needs: 'create_building_issues',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'issues.create': {
    kind: 'mutation',
    needs: 'create_building_issues',
    input: ({ buildingId }) => ({
      operationId: operationId(),
      id: uuidv7(),
      buildingId,
      title: 'From the sweep',
    }),
  },
  'issues.update': {
    kind: 'mutation',
    needs: 'manage_building_issues',
    input: ({ issueId }) => ({
      operationId: operationId(),
      id: issueId,
      changes: { description: { from: '', to: '' } },
    }),
  },
  // The issue is not critical.
  'issues.acknowledge': {
    kind: 'mutation',
    needs: 'manage_building_issues',
    input: ({ issueId }) => ({ operationId: operationId(), id: issueId }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
  },
  'issues.comment': {
    kind: 'mutation',
    // Also allowed for the issue's reporter, but none of these callers is.
    needs: 'edit_building_issues',
    input: ({ issueId }) => ({ operationId: operationId(), id: uuidv7(), issueId, body: 'From the sweep' }),
    exceptions: {
      viewer: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      noRole: 'not_found',
    },
  },
};
