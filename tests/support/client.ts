import { createTRPCClient, httpBatchLink, httpLink, type TRPCClient, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import type { WireError } from '#shared/errors.ts';

export type TestClient = TRPCClient<AppRouter>;

/**
 * The typed client, as the pages use it, over plain HTTP.
 * @param cookie what `signInAs` gave; absent for a visitor
 * @param options.batch joins calls of one moment into one request
 */
export function createTestClient(
  url: string,
  cookie?: string,
  options: { batch?: boolean } = {},
): TestClient {
  const link = options.batch === true ? httpBatchLink : httpLink;
  return createTRPCClient<AppRouter>({
    links: [link({ url: `${url}/trpc`, headers: headersFor(url, cookie) })],
  });
}

/** What a browser on our own page sends with every call. */
export function headersFor(url: string, cookie?: string): Record<string, string> {
  return { origin: url, 'x-app': '1', ...(cookie === undefined ? {} : { cookie }) };
}

/** What a call was refused with; throws if it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<WireError> {
  try {
    await call;
  } catch (error) {
    const app: unknown =
      error instanceof TRPCClientError ? (error.data as { app?: unknown } | undefined)?.app : undefined;
    if (app === undefined) throw error;
    // Written by the server's one error formatter.
    return app as WireError;
  }
  throw new Error('the call was not refused');
}
