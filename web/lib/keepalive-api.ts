import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';

/** For what a page says as it leaves: sent at once, and although nobody waits for the answer any more. */
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
