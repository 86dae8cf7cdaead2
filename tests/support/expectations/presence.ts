import { uuidv7 } from '#shared/ids.ts';
import type { ExpectationsOf } from './row.ts';

export const presence: ExpectationsOf<'presence'> = {
  'presence.tell': {
    kind: 'mutation',
    // The kind of the subject decides; without its permission the answer is that of a subject that does not exist.
    needs: 'signedIn',
    input: ({ issueId }) => ({ window: uuidv7(), n: 1, at: { kind: 'issue', id: issueId, part: 'title' } }),
    exceptions: { operative: 'not_found', noRole: 'not_found', unknownRole: 'not_found' },
  },
};
