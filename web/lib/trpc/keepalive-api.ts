import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';

/** A client for calls that a closing page makes: sent at once, and completed even after the page is gone. */
export const keepaliveApi = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/trpc',
      headers: { 'x-app': '1' },
      // The cast: tRPC's own type of the options is a part of the platform's.
      fetch: (input, init) => fetch(input, { ...(init as RequestInit), keepalive: true }),
    }),
  ],
});
