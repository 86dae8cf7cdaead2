import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createTRPCClient, httpLink } from '@trpc/client';
import NodeWebSocket from 'ws';
import type { AppRouter } from '#server/boot/router.ts';
import type { LiveScope, SettledAccess } from '#web/live/access.ts';
import { createLiveClient } from '#web/live/client.ts';
import { liveQueryOptions } from '#web/live/query-options.ts';
import { after } from '#web/live/schedule.ts';
import type { LiveClientParts } from '#web/live/stream/client-options.ts';
import type { AnyLiveQuery, LiveQuery } from '#web/live/types.ts';
import { issueQueriesOver } from '../queries/issue-queries.ts';
import { headersFor } from '../server/client.ts';

/** A browser window without a screen: the real client modules in Node, over real sockets. */
export async function createModelClient(options: {
  /** The server's URL; `via` is that of a proxy in front of its socket. */
  url: string;
  via?: string;
  cookie: string;
  parts?: LiveClientParts;
}) {
  const { url, cookie } = options;
  const sockets = new Set<NodeWebSocket>();
  const accessChanges: SettledAccess[] = [];
  const ended: number[] = [];
  const requests: string[] = [];
  let online = true;

  const api = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        headers: headersFor(url, cookie),
        fetch: (input, init) => {
          requests.push(new URL(String(input)).pathname);
          if (!online) return Promise.reject(new TypeError('fetch failed'));
          // The cast: tRPC's own type of `init` lacks some fields of the platform's, but never sets others.
          return fetch(input, init as RequestInit);
        },
      }),
    ],
  });
  const queries = issueQueriesOver(api);

  class ModelSocket extends NodeWebSocket {
    constructor(address: string | URL) {
      super(address, { headers: { origin: url, cookie } });
      // A failed connection also emits a close, which the client handles.
      this.on('error', () => undefined);
      this.on('close', () => sockets.delete(this));
      sockets.add(this);
      if (!online) this.terminate();
    }
  }

  async function askScope(): Promise<LiveScope> {
    const { asOf, digest, data } = await api.session.me.query();
    const { id, buildings, permissions, accessVersion } = data;
    return { asOf, digest, personId: id, buildings, permissions, accessVersion };
  }

  const live = createLiveClient({
    url: `${(options.via ?? url).replace('http', 'ws')}/trpc`,
    queryClient: new QueryClient(),
    queries: Object.values(queries) as AnyLiveQuery[], // Each query is a LiveQuery with types of its own.
    askScope,
    onAccess: (change) => accessChanges.push(change),
    onEnded: (code) => ended.push(code),
    isOnline: () => online,
    parts: {
      // The cast: the types differ only in parts that the stock client does not use.
      WebSocket: ModelSocket as unknown as typeof WebSocket,
      schedule: after(10),
      retryDelayMs: () => 75,
      backoff: () => 75,
      ...options.parts,
    },
  });
  live.start(await askScope());

  return {
    live,
    api,
    queries,
    /** The requested paths, in order. */
    requests,
    /** Access changes reported to the app. */
    accessChanges,
    ended,
    /** Keeps a query on screen until the returned function is called. */
    watch<Input, Value>(query: LiveQuery<Input, Value>, input: Input): () => void {
      const observer = new QueryObserver(live.cache.queryClient, {
        ...liveQueryOptions(live, query, input, true),
        retryDelay: 50,
      });
      return observer.subscribe(() => undefined);
    },
    /** The value that the screen would show. */
    shown<Input, Value>(query: LiveQuery<Input, Value>, input: Input): Value | undefined {
      const entry = live.cache.entry<Value>(query.name, input);
      return entry && live.overlays.project(query, entry, { input, now: live.status.now() });
    },
    /** Breaks the connection; the client reconnects. */
    cut(): void {
      for (const socket of sockets) socket.terminate();
    },
    offline(): void {
      online = false;
      this.cut();
      live.wake();
    },
    online(): void {
      online = true;
      live.wake();
    },
    stop(): void {
      live.stop();
      for (const socket of sockets) socket.terminate();
    },
  };
}

export type ModelClient = Awaited<ReturnType<typeof createModelClient>>;
