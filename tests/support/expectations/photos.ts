import { uuidv7 } from '#shared/ids.ts';
import { EVERYWHERE_OK, type ExpectationsOf, operation } from './row.ts';

export const photos: ExpectationsOf<'photos'> = {
  'photos.list': {
    kind: 'query',
    needs: 'view_building_issues',
    declares: { guard: 'signedIn' },
    input: ({ issueId }) => ({ on: 'issue', onId: issueId }),
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
    largest: ({ issueId }) => ({ on: 'issue', onId: issueId }),
  },
  'photos.announce': {
    kind: 'mutation',
    // Also allowed for the issue's reporter, but none of these callers is.
    needs: 'edit_building_issues',
    declares: { guard: 'signedIn' },
    input: ({ issueId }) => ({
      ...operation(),
      id: uuidv7(),
      of: { issueId },
      sha256: 'a'.repeat(64),
      bytes: 10,
      contentType: 'image/jpeg',
      width: 1,
      height: 1,
      takenAt: new Date().toISOString(),
    }),
    exceptions: {
      viewer: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      operative: { own: 'forbidden', other: 'not_found', absent: 'not_found' },
      noRole: 'not_found',
      unknownRole: 'not_found',
    },
  },
  'photos.remove': {
    kind: 'mutation',
    needs: 'signedIn',
    input: () => ({ ...operation(), id: uuidv7() }),
    outcome: 'not_found',
  },
};
