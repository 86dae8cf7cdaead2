import { type AnyRouter, callTRPCProcedure, getTRPCErrorFromUnknown, TRPCError } from '@trpc/server';
import { parseTRPCMessage } from '@trpc/server/rpc';
import { AppError } from '#shared/errors.ts';
import { LIVE_ONLY, LIVE_PATH } from '../live-path.ts';

// Parses the messages of the stock tRPC client on a socket, and checks whether a subscription is allowed.

export type RequestId = string | number;
export type Message = ReturnType<typeof parseTRPCMessage>;
export type Call = Exclude<Message, { method: 'subscription.stop' }>;
/** The reason why a subscription is refused, and the context in which it was checked. */
export type Refusal = { error: TRPCError; ctx: object | undefined };

const MAX_BATCH = 20;
/** The length of a UUID. */
const MAX_WINDOW_LENGTH = 36;

/** @throws Error if the text is no valid message or has too many */
export function parseMessages(router: AnyRouter, text: string): Message[] {
  const parsed: unknown = JSON.parse(text);
  const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (list.length > MAX_BATCH) throw new Error('too many messages at once');
  return list.map((raw) => parseTRPCMessage(raw, router._def._config.transformer));
}

/**
 * Runs the procedure's guards: reaching its body means that the subscription is allowed.
 * @returns the refusal, or undefined if it is allowed
 */
export async function checkCall(
  router: AnyRouter,
  createContext: () => Promise<object>,
  { params }: Call,
): Promise<Refusal | undefined> {
  let ctx: object | undefined;
  try {
    ctx = await createContext();
    await callTRPCProcedure({
      router,
      path: LIVE_PATH,
      type: 'subscription',
      ctx,
      getRawInput: async () => params.input,
      signal: undefined,
      batchIndex: 0,
    });
  } catch (error) {
    if (error instanceof TRPCError && error.cause === LIVE_ONLY) return undefined;
    return { error: getTRPCErrorFromUnknown(error), ctx };
  }
  throw new Error(`${LIVE_PATH} answered by itself`);
}

/** The client's position. The position that it has reached takes precedence over the one with which it began. */
export function cursorOf({ params }: Call): unknown {
  return params.lastEventId ?? inputOf(params, 'lastEventId');
}

/** The id that the client's window made for itself, if it names one. */
export function windowOf({ params }: Call): string | undefined {
  const window = inputOf(params, 'window');
  return typeof window === 'string' && window.length <= MAX_WINDOW_LENGTH ? window : undefined;
}

function inputOf({ input }: Call['params'], name: 'lastEventId' | 'window'): unknown {
  return typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;
}

export function unauthenticated(): TRPCError {
  const cause = new AppError('unauthenticated');
  return new TRPCError({ code: 'UNAUTHORIZED', message: cause.message, cause });
}

export function parseError(): TRPCError {
  return new TRPCError({ code: 'PARSE_ERROR' });
}
