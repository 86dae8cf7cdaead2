import { createTRPCClient, type getFetch, httpBatchLink, httpLink, splitLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import { APP_HEADERS, fetchOrReuseEarly } from './early-requests.ts';
import { Listeners } from './listeners.ts';
import { withServerTime } from './server-clock.ts';

/** Told after each answer by which the server does not know who asks. */
export const shutOut = new Listeners();

const ask: ReturnType<typeof getFetch> = async (url, init) => {
  const answer = await withServerTime(() =>
    fetchOrReuseEarly(url, { ...init, signal: init?.signal ?? null }),
  );
  if (answer.status === 401) shutOut.tell();
  return answer;
};
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
