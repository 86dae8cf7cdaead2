import { TRPCError, type TrackedEnvelope } from '@trpc/server';
import { z } from 'zod';
import type { LiveFrame } from '#shared/live/live.ts';
import { LIVE_ONLY } from '../live/live-path.ts';
import { follower, router } from './trpc.ts';

/**
 * Input of `live.stream`: the client's position, and the id of its window (rule T8). Anything is accepted, because an
 * unreadable position is answered with a reset. An error would make the client retry for ever (rule T3).
 */
const streamInput = z
  .object({
    lastEventId: z.string().optional().catch(undefined),
    window: z.string().optional().catch(undefined),
  })
  .optional()
  .catch(undefined);

/** Declares the stream for its types, permission and path; the live handler serves it (rule F1). */
export const liveRouter = router({
  // Not an async generator: that would send "started" before it throws.
  stream: follower.input(streamInput).subscription((): AsyncIterable<TrackedEnvelope<LiveFrame>> => {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: LIVE_ONLY.message, cause: LIVE_ONLY });
  }),
});
