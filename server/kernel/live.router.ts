import { TRPCError, type TrackedEnvelope } from '@trpc/server';
import { z } from 'zod';
import type { LiveFrame } from '#shared/live.ts';
import { LIVE_ONLY } from '../live/live-only.ts';
import { router, signedIn } from './trpc.ts';

/**
 * Input of `live.stream`: the client's position. Taken loosely, because one that cannot be read is answered with a
 * reset and never with an error, which the client would meet again and again (rule T3).
 */
const streamInput = z
  .object({ lastEventId: z.string().optional().catch(undefined) })
  .optional()
  .catch(undefined);

/** Declares the stream for its types, its permission and its place in the API; the live handler serves it (rule F1). */
export const liveRouter = router({
  // A plain function: an async generator would say "started" before it throws.
  stream: signedIn.input(streamInput).subscription((): AsyncIterable<TrackedEnvelope<LiveFrame>> => {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: LIVE_ONLY.message, cause: LIVE_ONLY });
  }),
});
