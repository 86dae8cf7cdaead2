import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#shared/live/live.ts';
import type { LiveScope, SettledAccess } from '../access.ts';
import type { Schedule } from '../schedule.ts';
import type { AnyLiveQuery } from '../types.ts';
import type { joinRing } from './join.ts';
import type { Ring } from './ring.ts';
import type { Stream, StreamParts } from './stream.ts';

export type LiveClientOptions = {
  /** The URL of the WebSocket: `wss://…/trpc`. */
  url: string;
  queryClient: QueryClient;
  /** Live queries to register at the start; any other is registered at its first use. */
  queries?: readonly AnyLiveQuery[];
  /** Asks `session.me` again, after a reset (rule T4). */
  askScope: () => Promise<LiveScope>;
  /** The person's access has changed, for the window to adapt and report it. Lists are updated by the client. */
  onAccess?: (change: SettledAccess) => void;
  /** An event has been applied to the cache. For state that the app keeps outside the cache. */
  onEvent?: (event: LiveEvent) => void;
  /** The session has ended and the client has stopped. 4401: signed out, 4403: not allowed. */
  onEnded?: (code: number) => void;
  /** Asks the person to authenticate again for a sensitive command; resolves to whether the person has done so. */
  reauthenticate?: () => Promise<boolean>;
  isOnline?: () => boolean;
  parts?: LiveClientParts;
};

/** Replacements of the browser's parts for tests and Node. */
export type LiveClientParts = Partial<
  Pick<StreamParts, 'WebSocket' | 'keepAlive' | 'watchdogMs' | 'retryDelayMs'>
> & {
  schedule?: Schedule;
  ring?: Ring;
  admit?: typeof joinRing;
  operationId?: (previous: string | undefined) => string;
  backoff?: (failures: number) => number;
  /** Creates the stream that delivers the frames. */
  stream?: (parts: StreamParts) => Pick<Stream, 'running' | 'start' | 'stop' | 'resubscribe' | 'kick'>;
  /** The wait before a snapshot that arrived too late is asked for again, ms. */
  snapshotPause?: (attempt: number) => number;
  /** The time in which at most one reset is answered, ms. */
  resetPaceMs?: number;
  bulkPaceMs?: number;
};
