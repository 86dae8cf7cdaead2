import { createTRPCClient, type getFetch, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import type { AppRouter } from '#server/router.ts';
import { APP_HEADERS, fetchOrEarly } from './early-answers.ts';
import { withServerTime } from './server-clock.ts';

const ask: ReturnType<typeof getFetch> = (url, init) =>
  withServerTime(() => fetchOrEarly(url, { ...init, signal: init?.signal ?? null }));
const request = { url: '/trpc', headers: APP_HEADERS, fetch: ask };

/** Every procedure as a plain promise, typed from the server's router. */
export const api = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      // In a batch with whatever else a page asks, it would not be the question that was asked early.
      condition: ({ path }) => path === 'session.me' || path === 'session.active',
      true: httpLink(request),
      false: httpBatchLink({ ...request, maxItems: 20 }),
    }),
  ],
});
