import type { QueryClient } from '@tanstack/react-query';
import type { BuildingAccess } from '#shared/features/session.ts';
import type { LiveEvent } from '#shared/live.ts';
import type { Permission } from '#shared/permissions.ts';
import type { SettledAccess } from './access.ts';
import type { joinRing } from './join.ts';
import type { Ring } from './ring.ts';
import type { Schedule } from './schedule.ts';
import type { Stream, StreamParts } from './stream.ts';
import type { AnyLiveQuery } from './types.ts';

/** Who is signed in, as the first snapshot (`session.me`) says. */
export type LiveScope = {
  asOf: string;
  /** Of `asOf`. */
  digest?: string | undefined;
  personId: string;
  buildings: BuildingAccess;
  permissions: readonly Permission[];
  accessVersion: number;
};

export type LiveClientOptions = {
  /** Of the WebSocket: `wss://…/trpc`. */
  url: string;
  queryClient: QueryClient;
  /** Live queries to know before their first use, which makes any other known. */
  queries?: readonly AnyLiveQuery[];
  /** Asks `session.me` again, after a reset (rule T4). */
  askScope: () => Promise<LiveScope>;
  /** The person's access has changed: the window adapts and says so. Lists are already being put right. */
  onAccess?: (change: SettledAccess) => void;
  /** An event is in the cache: for what the app keeps outside of it. */
  onEvent?: (event: LiveEvent) => void;
  /** The session is over; the client has stopped. 4401: signed out, 4403: not allowed. */
  onEnded?: (code: number) => void;
  isOnline?: () => boolean;
  parts?: LiveClientParts;
};

/** What tests and Node put in the place of the browser's. */
export type LiveClientParts = Partial<
  Pick<StreamParts, 'WebSocket' | 'keepAlive' | 'watchdogMs' | 'retryDelayMs'>
> & {
  schedule?: Schedule;
  ring?: Ring;
  admit?: typeof joinRing;
  operationId?: (previous: string | undefined) => string;
  backoff?: (failures: number) => number;
  /** Makes what brings the frames. */
  stream?: (parts: StreamParts) => Pick<Stream, 'running' | 'start' | 'stop' | 'resubscribe' | 'kick'>;
  /** How long to wait before a snapshot that came too late is asked for again, ms. */
  snapshotPause?: (attempt: number) => number;
  /** At most one reset is answered in this time, ms. */
  resetPaceMs?: number;
};
