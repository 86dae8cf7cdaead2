import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { WebSocket as NodeWebSocket } from 'ws';
import type { AppRouter } from '#server/boot/router.ts';
import type { Document, DocumentPage } from '#shared/features/documents/documents.ts';
import type { Issue, IssueFilter } from '#shared/features/issues/issues.ts';
import type { Task, TaskList } from '#shared/features/tasks/tasks.ts';
import { parsePosition } from '#shared/live/live.ts';
import { socketFor } from '#tests/support/live/node-socket.ts';
import type { DocumentListInput } from '#web/features/documents/data/fold-documents.ts';
import { myBuildings } from '#web/features/locations/pickers/my-buildings.live.ts';
import { people } from '#web/features/users/people.live.ts';
import { createLiveClient, type LiveClient } from '#web/live/client.ts';
import { liveQueryOptions } from '#web/live/query-options.ts';
import { after } from '#web/live/schedule.ts';
import type { LiveClientParts } from '#web/live/stream/client-options.ts';
import { isRefusedRead } from '#web/live/stream/wire-error.ts';
import type { AnyLiveQuery, FetchContext, LiveQuery } from '#web/live/types.ts';
import { documentQueriesOver } from '../support/queries/document-queries.ts';
import { issueQueriesOver } from '../support/queries/issue-queries.ts';
import { taskQueriesOver } from '../support/queries/task-queries.ts';

/** The content of a window, for the oracle. */
export type Shown = {
  name: string;
  input: unknown;
  /** Undefined if there is nothing to show. */
  value: unknown;
  /** The server has refused the read. */
  refused: boolean;
  busy: boolean;
  /** Status of the query, and the events that its value contains, for the report of a difference. */
  state: string;
};

/** A person's ways to end an upload under way: by signing out, and by Cancel. */
type RunningUpload = { stop(): void; cancel(): Promise<void> };

type Watched = { query: AnyLiveQuery; input: unknown; observer: QueryObserver; stop: () => void };

/** Options of a window that the real modules do not have. */
export type WindowOptions = {
  url: string;
  parts?: LiveClientParts;
  /** Called when a rule of the wire protocol is broken. */
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
  readonly #uploads = new Map<string, RunningUpload>();
  #cookie: string | undefined;
  #online = true;
  #atTheDoor = false;
  /** The last position that this window received. */
  #given: { epoch: string; g: number } | undefined;
  /** The last changes of access and resets that this window received, for the report of a difference. */
  readonly told: string[] = [];

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
      queries: Object.values(this.#queries) as AnyLiveQuery[], // Each query is a LiveQuery with types of its own.
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
    // A form is submitted once at a time.
    if (this.signedIn || this.#atTheDoor) return;
    this.#atTheDoor = true;
    try {
      await this.api.session.signIn.mutate({ email, password });
      await this.begin();
    } finally {
      this.#atTheDoor = false;
    }
  }

  /** Begins with an existing session. */
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

  /** Watches the tasks of a building, and the summary over all. */
  watchTasks(buildingId: string, retired: boolean): void {
    this.#watch('tasks', this.#queries.taskList, { buildingId, retired: false });
    if (retired) this.#watch('retired tasks', this.#queries.taskList, { buildingId, retired: true });
    this.#watch('overview', this.#queries.taskOverview, {});
  }

  /** Watches a list of documents, the path to its place, the disciplines of its building and, where permitted, the bin. */
  watchDocuments(slot: string, input: DocumentListInput): void {
    const { buildingId, place } = input;
    this.#watch(`documents ${slot}`, this.#queries.documentList, input);
    if (place.at === 'folder')
      this.#watch(`trail ${slot}`, this.#queries.folderTrail, { folderId: place.folderId });
    this.#watch('disciplines', this.#queries.documentRoot, { buildingId });
    if (this.live.scope?.permissions.includes('manage_building_documents') === true)
      this.#watch('bin', this.#queries.documentBin, { buildingId });
  }

  watchDocument(id: string): void {
    this.#watch('document', this.#queries.oneDocument, { id });
  }

  /** Picks a document shown in this window, including its unconfirmed writes. */
  someDocument(
    pick: <T>(from: readonly T[]) => T,
    buildingId: string,
    folders = false,
  ): Document | undefined {
    const rows = this.#rowsOf('documents.list').filter(
      (row) => row.buildingId === buildingId && (row.isFolder || !folders),
    );
    return rows.length === 0 ? undefined : pick(rows);
  }

  /** Picks a deleted document that can be restored. */
  someDeleted(pick: <T>(from: readonly T[]) => T): Document | undefined {
    const rows = this.#rowsOf('documents.bin');
    return rows.length === 0 ? undefined : pick(rows);
  }

  /** The buildings whose documents this window shows. */
  documentBuildings(): string[] {
    const shown = this.shown().filter(({ name }) => name === 'documents.list');
    // The cast: the input of this query.
    return shown.map(({ input }) => (input as DocumentListInput).buildingId);
  }

  documentWith(id: string): Document | undefined {
    return this.#rowsOf('documents.list').find((row) => row.id === id);
  }

  #rowsOf(query: 'documents.list' | 'documents.bin'): Document[] {
    return this.shown().flatMap(({ name, value }) =>
      // The cast: both queries have pages of documents.
      name === query && value !== undefined ? (value as DocumentPage).rows : [],
    );
  }

  /** Records an upload under way. @returns a function to call when it has ended */
  noteUpload(id: string, upload: RunningUpload): () => void {
    this.#uploads.set(id, upload);
    return () => void this.#uploads.delete(id);
  }

  someUpload(pick: <T>(from: readonly T[]) => T): RunningUpload | undefined {
    const running = [...this.#uploads.values()];
    return running.length === 0 ? undefined : pick(running);
  }

  /** Sends a request outside tRPC, as a page of this window does. */
  call(path: string, init: RequestInit): Promise<Response> {
    const { url } = this.#options;
    const cookie = this.#cookie === undefined ? {} : { cookie: this.#cookie };
    const headers = { origin: url, 'x-app': '1', ...cookie, ...init.headers };
    return this.#fetch(`${url}${path}`, { ...init, headers });
  }

  /** The organisation's day by which this window judges the tasks that it shows. */
  get day(): string | undefined {
    return this.#taskLists()[0]?.today;
  }

  /** Picks a task shown in this window, including its unconfirmed writes. */
  someTask(pick: <T>(from: readonly T[]) => T, retired: boolean): { task: Task; today: string } | undefined {
    const shown = this.#taskLists().flatMap(({ tasks, today }) =>
      tasks.filter(({ retiredAt }) => (retiredAt !== null) === retired).map((task) => ({ task, today })),
    );
    return shown.length === 0 ? undefined : pick(shown);
  }

  #taskLists(): TaskList[] {
    return this.shown().flatMap(({ name, value }) =>
      // The cast: this query has lists of tasks.
      name === 'tasks.list' && value !== undefined ? [value as TaskList] : [],
    );
  }

  /** Picks an issue shown in this window, including its unconfirmed writes. */
  someIssue(pick: <T>(from: readonly T[]) => T): Issue | undefined {
    const rows = this.shown().flatMap(({ name, value }) =>
      // The cast: this query has pages of issues.
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
      const fetching = `${result.status} ${result.fetchStatus} after ${result.failureCount} failures: ${result.failureReason}`;
      const held =
        entry && `up to ${entry.held.g}, request ${entry.requestedAt}${entry.owed ? ', owed' : ''}`;
      const state = `${fetching}; ${held ?? 'nothing held'}`;
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
      // The casts: the observer was made from this query and input; the map holds all kinds.
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
    for (const { stop } of this.#uploads.values()) stop();
    this.#uploads.clear();
    this.#queryClient.clear();
    this.#cookie = undefined;
    this.#given = undefined;
    this.told.length = 0;
  }

  async #scope() {
    const { asOf, digest, data } = await this.api.session.me.query();
    const { id, buildings, permissions, accessVersion } = data;
    return { asOf, digest, personId: id, buildings, permissions, accessVersion };
  }

  async #fetch(input: RequestInfo | URL | string, init?: RequestInit | object): Promise<Response> {
    if (!this.#online) throw new TypeError('offline');
    // The cast: the client's type of options is a subset of the platform's.
    const answer = await fetch(input as string, init as RequestInit);
    for (const header of answer.headers.getSetCookie()) {
      const pair = header.split(';')[0] ?? '';
      // Ignores the cookie that marks the device.
      if (!/^(__Host-)?sid=/.test(pair)) continue;
      this.#cookie = pair.endsWith('=') ? undefined : pair;
    }
    return answer;
  }

  /** Checks that every frame carries its position (rule T1). */
  #received(text: string): void {
    if (!text.includes('"type":"data"')) return;
    const { result } = JSON.parse(text);
    if (result.id === undefined || result.id !== result.data?.id) {
      this.#options.onViolation(`a frame without its position: ${text.slice(0, 120)}`);
    }
    const position = parsePosition(result.data?.id);
    if (position === undefined) return;
    const { reset, access } = result.data.data;
    if (reset !== undefined) this.#tell(`reset ${reset} at ${position.g}`);
    if (access !== undefined) {
      const { version, from, lost, gained } = access;
      this.#tell(`access ${JSON.stringify({ version, from, lost, gained })} at ${position.g}`);
    }
    if (reset !== undefined || this.#given?.epoch !== position.epoch || position.g > this.#given.g)
      this.#given = position;
  }

  #tell(what: string): void {
    this.told.push(what);
    if (this.told.length > 5) this.told.shift();
  }

  /** Checks that a returning client continues from its position rather than from the beginning. */
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

/** The real queries, fetched through this window's connection. */
function queriesOver(api: TRPCClient<AppRouter>) {
  return {
    ...issueQueriesOver(api),
    ...taskQueriesOver(api),
    ...documentQueriesOver(api),
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
