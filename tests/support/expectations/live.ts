import { type ExpectationsOf, empty } from './row.ts';

export const live: ExpectationsOf<'live'> = {
  'live.stream': {
    kind: 'subscription',
    // Refused before anybody is asked who they are: the stream travels on the socket alone.
    needs: 'anybody',
    input: empty,
    outcome: 'unsupported',
  },
};
