import { createTRPCClient, httpBatchLink, httpLink, type TRPCClient, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import type { WireError } from '#shared/errors.ts';

export type TestClient = TRPCClient<AppRouter>;

/**
 * The typed tRPC client that the pages use, over plain HTTP.
 * @param cookie from `signInAs`; absent for a visitor
 * @param options.batch joins calls made at the same time into one request
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

/** The headers that a browser sends from our own page. */
export function headersFor(url: string, cookie?: string): Record<string, string> {
  return { origin: url, 'x-app': '1', ...(cookie === undefined ? {} : { cookie }) };
}

/** Returns the error with which a call was refused; throws if it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<WireError> {
  try {
    await call;
  } catch (error) {
    const app: unknown =
      error instanceof TRPCClientError ? (error.data as { app?: unknown } | undefined)?.app : undefined;
    if (app === undefined) throw error;
    // The cast: written by the server's only error formatter.
    return app as WireError;
  }
  throw new Error('the call was not refused');
}
