import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from '#server/router.ts';

/** Every procedure as a plain promise, typed from the server's router. */
export const api = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 20,
      // A header that a foreign form cannot send; the server wants it on every write.
      headers: { 'x-app': '1' },
    }),
  ],
});
