import { type getFetch, httpBatchLink, httpLink, splitLink, type TRPCLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';

/** The maximum length of a URL in characters: proxies accept 8,000 together with the host and the cookies of the request. */
const URL_MAX = 6_000;
/** The maximum length of an input in a URL, in characters; the URL also contains the paths of the batch. */
const INPUT_MAX = 4_000;

type Request = {
  url: string;
  headers: Record<string, string>;
  fetch: ReturnType<typeof getFetch>;
};

/** The links of a client: calls made at the same time are sent in one request, and a query with a long input is sent by POST. */
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
  // URL encoding replaces one character by at most nine.
  return (
    text.length > INPUT_MAX || (text.length > INPUT_MAX / 9 && encodeURIComponent(text).length > INPUT_MAX)
  );
}
