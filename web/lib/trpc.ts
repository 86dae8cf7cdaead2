import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from '#server/router.ts';
import { APP_HEADERS, fetchOrEarly } from './early-answers.ts';

/** Every procedure as a plain promise, typed from the server's router. */
export const api = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 20,
      headers: APP_HEADERS,
      fetch: (url, init) => fetchOrEarly(url, { ...init, signal: init?.signal ?? null }),
    }),
  ],
});
