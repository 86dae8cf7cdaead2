import { type ExpectationsOf, empty } from './row.ts';

export const live: ExpectationsOf<'live'> = {
  'live.stream': {
    kind: 'subscription',
    // Refused before the caller is identified: the stream is served only over the socket.
    needs: 'everyone',
    declares: { guard: 'signedIn', orDisplay: true },
    input: empty,
    outcome: 'unsupported',
  },
};
