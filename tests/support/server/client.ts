import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  type TRPCClient,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '#server/boot/router.ts';
import type { WireError } from '#shared/errors.ts';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import { untilSequenced } from './sequenced.ts';

export type TestClient = TRPCClient<AppRouter>;

/**
 * The typed tRPC client that the pages use, over plain HTTP. Before it queries a history or the activity, it waits until
 * all saved events have a position.
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
    links: [afterEvents(url), link({ url: `${url}/trpc`, headers: headersFor(url, cookie) })],
  });
}

/** The queries that read only events with a position. */
const OF_EVENTS = /^activity\.|\.history$/;

function afterEvents(url: string): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      OF_EVENTS.test(op.path)
        ? observable((observer) => {
            let isOver = false;
            untilSequenced(url).then(
              () => isOver || next(op).subscribe(observer),
              (error: unknown) => observer.error(TRPCClientError.from(error as Error)),
            );
            return () => {
              isOver = true;
            };
          })
        : next(op);
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

/** The answer of a sign-in that needs no second step. */
export async function signedIn<Answer extends object>(
  call: Promise<Answer | SecondStep>,
): Promise<Exclude<Answer, SecondStep>> {
  const answer = await call;
  if ('step' in answer) throw new Error('the sign-in needs a second step');
  // The cast: only a second step has a step.
  return answer as Exclude<Answer, SecondStep>;
}
