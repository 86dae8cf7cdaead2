import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { WebSocket as NodeWebSocket } from 'ws';
import type { AppRouter } from '#server/boot/router.ts';
import type { Issue, IssueFilter } from '#shared/features/issues.ts';
import { parsePosition } from '#shared/live.ts';
import { myBuildings } from '#web/features/locations/my-buildings.live.ts';
import { people } from '#web/features/users/people.live.ts';
import { createLiveClient, type LiveClient } from '#web/live/client.ts';
import type { LiveClientParts } from '#web/live/client-options.ts';
import { liveQueryOptions } from '#web/live/query-options.ts';
import { after } from '#web/live/schedule.ts';
import type { AnyLiveQuery, FetchContext, LiveQuery } from '#web/live/types.ts';
import { isRefusedRead } from '#web/live/wire-error.ts';
import { issueQueriesOver } from '../support/issue-queries.ts';
import { socketFor } from './node-socket.ts';

/** What a window shows, as the oracle asks for it. */
export type Shown = {
  name: string;
  input: unknown;
  /** Undefined where nothing is there to be shown. */
  value: unknown;
  /** The server has said that there is nothing to see. */
  refused: boolean;
  busy: boolean;
  /** Why it may be so. */
  state: string;
};

type Watched = { query: AnyLiveQuery; input: unknown; observer: QueryObserver; stop: () => void };

/** Bookkeeping of one window that the real modules do not do themselves. */
export type WindowOptions = {
  url: string;
  parts?: LiveClientParts;
  /** A rule of the wire was broken. */
  onViolation: (what: string) => void;
};

/** A browser window in Node: the real client modules over a real network, without React. */
export class ChaosWindow {
  readonly api: TRPCClient<AppRouter>;
  readonly live: LiveClient;
  readonly #options: WindowOptions;
  readonly #queryClient = new QueryClient();
  readonly #sockets = new Set<NodeWebSocket>();
  readonly #watched = new Map<string, Watched>();
  readonly #queries: ReturnType<typeof queriesOver>;
  #cookie: string | undefined;
  #online = true;
  #atTheDoor = false;
  /** The last position that this window was given, and the subscription that asks to go on from it. */
  #given: { epoch: string; g: number } | undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
    const { url } = options;
    this.api = createTRPCClient<AppRouter>({
      links: [
        httpLink({
          url: `${url}/trpc`,
          headers: () => ({
            origin: url,
            'x-app': '1',
            ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
          }),
          fetch: (input, init) => this.#fetch(input, init),
        }),
      ],
    });
    this.#queries = queriesOver(this.api);
    this.live = createLiveClient({
      url: `${url.replace('http', 'ws')}/trpc`,
      queryClient: this.#queryClient,
      queries: Object.values(this.#queries) as AnyLiveQuery[], // Each of them is a LiveQuery of its own types.
      askScope: () => this.#scope(),
      isOnline: () => this.#online,
      onEnded: () => this.#forget(),
      parts: {
        WebSocket: socketFor(
          {
            cookie: () => this.#cookie,
            origin: url,
            online: () => this.#online,
            onReceived: (text) => this.#received(text),
            onSent: (text) => this.#sent(text),
          },
          this.#sockets,
        ),
        schedule: after(15),
        keepAlive: { intervalMs: 2_000, pongTimeoutMs: 1_500 },
        watchdogMs: 9_000,
        retryDelayMs: (failures) => Math.min(1_500, 100 * 2 ** failures) * (0.5 + Math.random()),
        backoff: (failures) => Math.min(1_500, 100 * 2 ** failures) * (0.5 + Math.random()),
        resetPaceMs: 500,
        ...options.parts,
      },
    });
  }

  get signedIn(): boolean {
    return this.#cookie !== undefined && this.live.scope !== undefined;
  }

  get online(): boolean {
    return this.#online;
  }

  get personId(): string | undefined {
    return this.live.scope?.personId;
  }

  async signIn(email: string, password: string): Promise<void> {
    // A form is sent once, and there is one form.
    if (this.signedIn || this.#atTheDoor) return;
    this.#atTheDoor = true;
    try {
      await this.api.session.signIn.mutate({ email, password });
      await this.begin();
    } finally {
      this.#atTheDoor = false;
    }
  }

  /** With a session that is already there. */
  async begin(cookie = this.#cookie): Promise<void> {
    this.#cookie = cookie;
    const scope = await this.#scope();
    this.#given = undefined;
    this.live.start(scope);
    this.#watch('places', this.#queries.places, undefined);
    if (scope.buildings === 'all') this.#watch('people', this.#queries.people, undefined);
  }

  async signOut(): Promise<void> {
    if (!this.signedIn || this.#atTheDoor) return;
    this.#atTheDoor = true;
    try {
      await this.api.session.signOut.mutate({});
      this.live.stop();
      this.#forget();
    } finally {
      this.#atTheDoor = false;
    }
  }

  offline(): void {
    this.#online = false;
    for (const socket of [...this.#sockets]) socket.terminate();
  }

  backOnline(): void {
    this.#online = true;
    this.live.wake();
  }

  watchList(slot: string, filter: IssueFilter): void {
    this.#watch(`list ${slot}`, this.#queries.list, filter);
    this.#watch(`counts ${slot}`, this.#queries.counts, filter);
  }

  watchIssue(slot: string, id: string): void {
    this.#watch(`issue ${slot}`, this.#queries.one, { id });
    this.#watch(`comments ${slot}`, this.#queries.comments, { id });
  }

  /** An issue that is on screen somewhere, as it stands there: with the own unconfirmed writes. */
  someIssue(pick: <T>(from: readonly T[]) => T): Issue | undefined {
    const rows = this.shown().flatMap(({ name, value }) =>
      // Under this name there are pages of issues.
      name === 'issues.list' && value !== undefined ? (value as { rows: Issue[] }).rows : [],
    );
    return rows.length === 0 ? undefined : pick(rows);
  }

  shown(): Shown[] {
    return [...this.#watched.values()].map(({ query, input, observer }) => {
      const result = observer.getCurrentResult();
      const entry = this.live.cache.entry(query.name, input);
      const value = entry && this.live.overlays.project(query, entry, { input, now: this.live.status.now() });
      const refused = value === undefined && result.status === 'error' && isRefusedRead(result.error);
      const state = `${result.status} ${result.fetchStatus} after ${result.failureCount} failures: ${result.failureReason}`;
      return { name: query.name, input, value, refused, busy: result.fetchStatus !== 'idle', state };
    });
  }

  dispose(): void {
    this.#forget();
    this.live.stop();
    this.live.cache.dispose();
    for (const socket of [...this.#sockets]) socket.terminate();
  }

  #watch<Input, Value>(slot: string, query: LiveQuery<Input, Value>, input: Input): void {
    this.#watched.get(slot)?.stop();
    const observer = new QueryObserver(this.#queryClient, liveQueryOptions(this.live, query, input, true));
    const unsubscribe = observer.subscribe(() => undefined);
    this.#watched.set(slot, {
      // The observer was made from this very pair; watched ones of all kinds lie in one map.
      query: query as AnyLiveQuery,
      input,
      observer: observer as unknown as QueryObserver,
      stop: () => {
        unsubscribe();
        observer.destroy();
      },
    });
  }

  #forget(): void {
    for (const { stop } of this.#watched.values()) stop();
    this.#watched.clear();
    this.#queryClient.clear();
    this.#cookie = undefined;
    this.#given = undefined;
  }

  async #scope() {
    const { asOf, digest, data } = await this.api.session.me.query();
    const { id, buildings, permissions, accessVersion } = data;
    return { asOf, digest, personId: id, buildings, permissions, accessVersion };
  }

  async #fetch(input: RequestInfo | URL | string, init?: RequestInit | object): Promise<Response> {
    if (!this.#online) throw new TypeError('offline');
    // The client's own type of options is a part of the platform's.
    const answer = await fetch(input as string, init as RequestInit);
    for (const header of answer.headers.getSetCookie()) {
      const pair = header.split(';')[0] ?? '';
      // Beside the session's there is the one that marks the device.
      if (!/^(__Host-)?sid=/.test(pair)) continue;
      this.#cookie = pair.endsWith('=') ? undefined : pair;
    }
    return answer;
  }

  /** Every frame is tracked (rule T1). */
  #received(text: string): void {
    if (!text.includes('"type":"data"')) return;
    const { result } = JSON.parse(text);
    if (result.id === undefined || result.id !== result.data?.id) {
      this.#options.onViolation(`a frame without its position: ${text.slice(0, 120)}`);
    }
    const position = parsePosition(result.data?.id);
    const reset = result.data?.data?.reset !== undefined;
    if (position === undefined) return;
    if (reset || this.#given?.epoch !== position.epoch || position.g > this.#given.g) this.#given = position;
  }

  /** Whoever comes back goes on from where it was, and not from the beginning. */
  #sent(text: string): void {
    if (!text.includes('"live.stream"')) return;
    const messages: unknown = JSON.parse(text);
    for (const message of Array.isArray(messages) ? messages : [messages]) {
      const from = parsePosition(message.params?.lastEventId ?? message.params?.input?.lastEventId);
      const cursor = this.live?.cache.cursor;
      const given = this.#given;
      if (given === undefined || cursor === undefined || message.method !== 'subscription') continue;
      if (from === undefined || (from.epoch === given.epoch && from.g < Math.min(given.g, cursor.g))) {
        this.#options.onViolation(`subscribed from ${from?.g} although it had been given ${given.g}`);
      }
    }
  }
}

/** The real queries, asked through this window's own connection. */
function queriesOver(api: TRPCClient<AppRouter>) {
  return {
    ...issueQueriesOver(api),
    places: {
      ...myBuildings,
      fetch: (_: undefined, { signal }: FetchContext) => api.locations.mine.query(undefined, { signal }),
    },
    people: {
      ...people,
      fetch: (_: undefined, { signal }: FetchContext) => api.users.list.query(undefined, { signal }),
    },
  };
}
