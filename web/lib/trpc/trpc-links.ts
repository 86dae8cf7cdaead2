import { type getFetch, httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';

/** The most characters of a URL: proxies accept 8,000 together with the host and the cookies of the request. */
const URL_MAX = 6_000;
/** The longest input in a URL, which also has the paths of the batch. */
const INPUT_MAX = 4_000;

type Request = {
  url: string;
  headers: Record<string, string>;
  fetch: ReturnType<typeof getFetch>;
};

/** The links of a client: calls made at the same time travel together, and a query with a long input is posted. */
export function linksTo(request: Request): TRPCLink<AppRouter>[] {
  return [
    splitLink({
      condition: ({ type, input }) => type === 'query' && isTooLong(input),
      true: httpLink({ ...request, methodOverride: 'POST' }),
      false: splitLink({
        // Not batched, because in a batch the early request could not be reused.
        condition: ({ path }) => path === 'session.me' || path === 'session.active',
        true: httpLink(request),
        false: httpBatchLink({ ...request, maxItems: 20, maxURLLength: URL_MAX }),
      }),
    }),
  ];
}

function isTooLong(input: unknown): boolean {
  const text = JSON.stringify(input) ?? '';
  // URL encoding makes at most nine characters of one.
  return (
    text.length > INPUT_MAX || (text.length > INPUT_MAX / 9 && encodeURIComponent(text).length > INPUT_MAX)
  );
}
