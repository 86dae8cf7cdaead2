import { CancelledError, notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import type { LivePosition, Snapshot } from '#shared/live/live.ts';
import { withTimeout } from '../lib/time/with-timeout.ts';
import { type CacheSlot, Entries } from './entries.ts';
import { concernsRead, Refusals } from './refusals.ts';
import type { Schedule } from './schedule.ts';
import { coverageOf, type Joined, joinRing, type LiveEntry } from './stream/join.ts';
import { Ring, type RingItem } from './stream/ring.ts';
import { Stagger } from './stream/stagger.ts';
import { isRefusedRead, StoppedError } from './stream/wire-error.ts';
import { Boundaries } from './time-boundaries.ts';
import { Timeline } from './timeline.ts';
import type { AnyLiveQuery, LiveQuery, PagedQuery } from './types.ts';

const ATTEMPTS = 5;
const FETCH_TIMEOUT_MS = 20_000;
/** With more waiting events than this, a flush does not wait for the next animation frame. */
const FLUSH_AT = 1000;

const AGAIN: Joined = { verdict: 'again' };

const defaultPause = (attempt: number) => (attempt === 1 ? 0 : 50 * 2 ** attempt);

export type CacheParts = {
  queryClient: QueryClient;
  schedule: Schedule;
  /** Server time, ms. */
  now: () => number;
  ring?: Ring;
  /** Brings an answer up to the applied position before it is shown (rule J3). */
  admit?: typeof joinRing;
  /** The wait before a snapshot is asked for again, ms. */
  pause?: (attempt: number) => number;
  /** The shortest time between two requests of a query for bulk events, ms. */
  bulkPaceMs?: number | undefined;
  /** Called when an answer is of another epoch than the stream; the client must then subscribe to the stream again. */
  onForeignEpoch?: () => void;
  /** Called when the events are in the cache. */
  onFlushed?: (items: readonly RingItem[]) => void;
};

/** The query cache, kept up to date by the stream. */
export class LiveCache {
  readonly #parts: CacheParts;
  readonly #timeline: Timeline;
  readonly #entries: Entries;
  readonly #boundaries: Boundaries;
  readonly #spread: Stagger;
  readonly #loadingMore = new Map<string, Promise<void>>();
  readonly #unsubscribe: () => void;
  #started: Promise<void> | undefined;
  #start: (() => void) | undefined;
  /** Rises with every stop: an answer to an earlier request belongs to another session. */
  #session = 0;
  #order = 0;
  /** The number of the last change of access. */
  #accessAt = 0;
  readonly #refusals: Refusals;
  #cancelFlush: (() => void) | undefined;

  constructor(parts: CacheParts) {
    this.#parts = parts;
    this.#timeline = new Timeline(parts.ring ?? new Ring());
    this.#entries = new Entries(parts.queryClient);
    this.#refusals = new Refusals(this.tick);
    this.#boundaries = new Boundaries(parts.now, (query) => void this.refetch(query));
    this.#spread = new Stagger((query) => this.#settle(query), parts.bulkPaceMs);
    this.#unsubscribe = parts.queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' && type !== 'removed') return;
      const live = this.#entries.held(query);
      if (live?.query.changesAt === undefined) return;
      const gone = type === 'removed' || live.entry === undefined;
      this.#boundaries.set(query, gone ? null : live.query.changesAt(live.entry?.value));
    });
    this.#closed();
  }

  /** Registers a query by its name: queries of the registry at the start, all others at their first use. */
  register<Input, Value>(query: LiveQuery<Input, Value>): void {
    this.#entries.register(query);
  }

  get queryClient(): QueryClient {
    return this.#parts.queryClient;
  }

  get cursor(): LivePosition {
    return this.#timeline.cursor;
  }

  /** The next number in the order of this client's requests and answers. */
  readonly tick = (): number => {
    this.#order += 1;
    return this.#order;
  };

  /** Starts at the position of the first snapshot, `session.me` (rule J2). Queries wait for this. */
  start(position: LivePosition): void {
    this.reset(position);
    this.#start?.();
    this.#start = undefined;
  }

  /** Forgets everything, until `start`. */
  stop(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#timeline.end();
    this.#session += 1;
    this.#boundaries.clear();
    this.#spread.clear();
    this.#refusals.clear();
    this.#closed();
    for (const { cached } of this.#entries.all()) this.#entries.remove(cached);
  }

  dispose(): void {
    this.stop();
    this.#unsubscribe();
  }

  /** Continues at a new position, after which nothing older can be joined (rule T3). The caller fetches all again. */
  reset(position: LivePosition): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#timeline.reset(position);
    // The server does not send the changes of access that it knew before the reset.
    this.accessChanged();
  }

  /** Takes the items of a frame: all after the cursor, in order. */
  receive(position: LivePosition, items: readonly RingItem[]): void {
    this.#timeline.receive(position, items);
    if (this.#timeline.waiting > FLUSH_AT) this.flush();
    else this.#cancelFlush ??= this.#parts.schedule(() => this.flush());
  }

  /** Applies the received items to the cache, with one write per entry (rule J6). */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#timeline.waiting === 0) return;
    const items = this.#timeline.take();
    notifyManager.batch(() => {
      for (const held of this.#entries.all()) {
        if (held.entry) this.#catchUp(held);
        else this.#askAgain(held, items);
      }
      this.#parts.onFlushed?.(items);
    });
  }

  /** The `queryFn` of a live query: fetches a snapshot and brings it up to the applied position. */
  async load<Input, Value>(query: LiveQuery<Input, Value>, input: Input): Promise<LiveEntry<Value>> {
    this.register(query);
    const cached = this.entry<Value>(query.name, input);
    const limit = cached && query.size?.(cached.value);
    try {
      return await this.#snapshot(query, input, (signal) => query.fetch(input, { signal, limit }));
    } catch (error) {
      // A refused read also removes the value that was read before.
      if (isRefusedRead(error)) this.#entries.find(query.name, input)?.setState({ data: undefined });
      throw error;
    } finally {
      this.#refusals.answered(this.#entries.find(query.name, input)?.queryHash);
    }
  }

  /** Fetches and merges the next page. A page that was requested on top of an earlier list is dropped. */
  loadMore<Input, Value>(query: PagedQuery<Input, Value>, input: Input): Promise<void> {
    const cached = this.#entries.find(query.name, input);
    const before = this.entry<Value>(query.name, input);
    if (!cached || !before) return Promise.resolve();
    const underWay = this.#loadingMore.get(cached.queryHash);
    if (underWay) return underWay;
    const work = this.#snapshot(query, input, (signal) => query.fetchMore(input, before.value, { signal }))
      .then((page) => {
        const now = this.entry<Value>(query.name, input);
        if (!now || now.requestedAt !== before.requestedAt || now.generation !== page.generation) return;
        cached.setData({ ...now, value: query.merge(now.value, page.value, input) }, { manual: true });
      })
      .finally(() => this.#loadingMore.delete(cached.queryHash));
    this.#loadingMore.set(cached.queryHash, work);
    return work;
  }

  entry<Value>(name: string, input: unknown): LiveEntry<Value> | undefined {
    return this.#entries.entry(name, input);
  }

  /**
   * Notes that the access has changed. An answer or refusal to an earlier request is then asked for again, because its
   * position does not show whether it was read before the change (rule J3). The caller brings the entries up to date.
   */
  accessChanged(): void {
    this.#accessAt = this.tick();
  }

  /** Whether the access has changed since a request. */
  isOvertaken(requestedAt: number): boolean {
    return requestedAt < this.#accessAt;
  }

  /** Removes buildings from every entry at once, whatever its position. */
  lose(lost: (buildingId: string) => boolean): void {
    this.flush();
    notifyManager.batch(() => {
      for (const { cached, query, entry } of this.#entries.all()) {
        if (!entry) continue;
        const value = query.lose ? query.lose(entry.value, lost) : 'refetch';
        if (value === 'refetch') void this.refetch(cached);
        else if (value !== entry.value) cached.setData({ ...entry, value }, { manual: true });
      }
    });
  }

  /**
   * Fetches the entries on screen again and drops the others. Resolves when the answers are there or have failed.
   * @returns a failure, if there was one
   */
  async refetchAll(concerns: (query: AnyLiveQuery) => boolean = () => true): Promise<unknown> {
    const concerned = this.#entries.all().filter(({ query }) => concerns(query));
    const failures = await Promise.all(concerned.map(({ cached }) => this.refetch(cached)));
    return failures.find((failure) => failure !== undefined);
  }

  /** Whether an entry on screen waits for a newer snapshot. */
  isBehind(): boolean {
    return this.#entries
      .onScreen()
      .some(({ entry }) => entry && (entry.owed || entry.generation !== this.#timeline.generation));
  }

  /** Fetches entries on screen again that failed or wait for a newer snapshot. */
  retry(): void {
    for (const { cached, entry } of this.#entries.onScreen()) {
      const failed = cached.state.status === 'error' && !isRefusedRead(cached.state.error);
      if (failed || (entry?.owed && !this.#spread.waits(cached))) void this.refetch(cached);
    }
  }

  /**
   * Fetches an entry again, or drops it if it is not used. A fetch already under way finds the cause of this one, an
   * event in the ring or a change of access, and repeats itself.
   * @returns the error if it failed; the query's state has it as well, for the screen
   */
  async refetch(cached: Query): Promise<unknown> {
    this.#spread.drop(cached);
    const entry = this.#entries.held(cached)?.entry;
    if (entry) entry.owed = true;
    if (cached.getObserversCount() === 0) this.#entries.remove(cached);
    else if (!cached.isActive()) cached.reset();
    else return cached.fetch(undefined, { cancelRefetch: false }).then(() => undefined, failureOf);
    return undefined;
  }

  /** Repeats a refused read if an event contains the row that it asks for, such as a row that this person has just created. */
  #askAgain({ cached, query, input }: CacheSlot, items: readonly RingItem[]): void {
    if (!items.some(({ event }) => concernsRead(event, query, input))) return;
    this.#refusals.came(cached.queryHash);
    if (isRefusedRead(cached.state.error)) void this.refetch(cached);
  }

  #catchUp({ cached, query, entry, input }: CacheSlot): void {
    if (!entry || entry.generation !== this.#timeline.generation) return;
    const joined = joinRing(query, entry, this.#timeline.stream(), { input, now: this.#parts.now() });
    if (joined.verdict === 'again') {
      void this.refetch(cached);
      return;
    }
    if (joined.value === entry.value) entry.held = joined.held;
    else cached.setData({ ...entry, value: joined.value, held: joined.held }, { manual: true });
    if (joined.verdict === 'refetch') {
      this.#refetchIn(cached, joined.paced ? this.#spread.pace(cached, joined.waitMs) : joined.waitMs);
    }
  }

  /**
   * Fetches an entry again after a delay. An entry that is not on screen is dropped at once, so that it is never shown
   * outdated.
   */
  #refetchIn(cached: Query, waitMs: number): void {
    const entry = this.#entries.held(cached)?.entry;
    if (waitMs > 0 && entry && cached.isActive()) {
      entry.owed = true;
      this.#spread.wait(cached, waitMs);
    } else void this.refetch(cached);
  }

  /** Fetches an entry again after its delay, unless it has been fetched in the meantime. */
  #settle(cached: Query): void {
    if (this.#entries.held(cached)?.entry?.owed) void this.refetch(cached);
  }

  async #snapshot<Input, Value>(
    query: LiveQuery<Input, Value>,
    input: Input,
    ask: (signal: AbortSignal) => Promise<Snapshot<Value>>,
  ): Promise<LiveEntry<Value>> {
    const cached = this.#entries.find(query.name, input);
    const hash = cached?.queryHash;
    for (let attempt = 1; ; attempt += 1) {
      await this.#started;
      const session = this.#session;
      const requestedAt = this.tick();
      const snapshot = await withTimeout(FETCH_TIMEOUT_MS, ask).catch((error: unknown) => {
        const isOvertaken = this.isOvertaken(requestedAt) || this.#refusals.isOvertaken(hash, requestedAt);
        const again = isRefusedRead(error) && isOvertaken && attempt < ATTEMPTS;
        if (!again || session !== this.#session) throw error;
      });
      if (snapshot === undefined) continue;
      if (session !== this.#session) throw new StoppedError('Signed out meanwhile');
      const joined = this.isOvertaken(requestedAt) ? AGAIN : this.#admit(query, input, snapshot);
      const waitMs =
        joined.verdict === 'refetch' && joined.paced && cached ? this.#spread.pace(cached, joined.waitMs) : 0;
      const late = joined.verdict === 'refetch' && (waitMs > 0 || attempt === ATTEMPTS);
      if (joined.verdict === 'joined' || late) {
        const owed = late;
        if (cached && waitMs > 0) this.#spread.wait(cached, waitMs);
        // The cast: `joinRing` applies this query's own methods to this query's own value.
        const value = joined.value as Value;
        const { generation } = this.#timeline;
        return { value, held: joined.held, requestedAt, generation, owed };
      }
      if (attempt >= ATTEMPTS) throw new Error('The answers stay older than the stream');
      const pause = (this.#parts.pause ?? defaultPause)(attempt);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Joins an answer with the events that arrived while it was under way; without them the answer must not be shown (rule J3). */
  #admit(query: AnyLiveQuery, input: unknown, snapshot: Snapshot<unknown>): Joined {
    const holding = coverageOf(snapshot);
    if (!holding) throw new Error('An answer without a position');
    this.flush();
    if (holding.epoch !== this.#timeline.epoch) {
      this.#parts.onForeignEpoch?.();
      return AGAIN;
    }
    const admit = this.#parts.admit ?? joinRing;
    const entry = { value: snapshot.data, held: holding };
    return admit(query, entry, this.#timeline.stream(), { input, now: this.#parts.now() });
  }

  #closed(): void {
    // Queries that wait for the first start continue to wait for it.
    if (this.#start) return;
    this.#started = new Promise((resolve) => {
      this.#start = resolve;
    });
  }
}

/**
 * The error of a failed fetch; undefined for a refusal, which is an answer, and for a fetch that is no longer wanted.
 */
function failureOf(error: unknown): unknown {
  const unwanted = error instanceof CancelledError || error instanceof StoppedError;
  return unwanted || isRefusedRead(error) ? undefined : error;
}
