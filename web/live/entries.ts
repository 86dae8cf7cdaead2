import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEntry } from './join.ts';
import type { AnyLiveQuery, LiveQuery } from './types.ts';

/** A place of the query cache that a live query has filled, or is about to. */
export type CacheSlot = {
  cached: Query;
  query: AnyLiveQuery;
  input: unknown;
  entry: LiveEntry | undefined;
};

/** What of the query cache is live: the entries of the queries that are known here, by name. */
export class Entries {
  readonly #client: QueryClient;
  readonly #queries = new Map<string, AnyLiveQuery>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  register<Input, Value>(query: LiveQuery<Input, Value>): void {
    this.#queries.set(query.name, query);
  }

  /** Undefined for an entry that is nothing of ours. */
  held(cached: Query): CacheSlot | undefined {
    const [name, input] = cached.queryKey;
    const query = typeof name === 'string' ? this.#queries.get(name) : undefined;
    // Under the name of a registered query only `LiveCache.load` writes.
    return query && { cached, query, input, entry: cached.state.data as LiveEntry | undefined };
  }

  all(): CacheSlot[] {
    const found: CacheSlot[] = [];
    for (const cached of this.#client.getQueryCache().getAll()) {
      const held = this.held(cached);
      if (held) found.push(held);
    }
    return found;
  }

  /** Those that a component shows. */
  onScreen(): CacheSlot[] {
    return this.all().filter(({ cached }) => cached.isActive());
  }

  find(name: string, input: unknown): Query | undefined {
    return this.#client.getQueryCache().find({ queryKey: [name, input], exact: true });
  }

  /** The value that a query holds for an input. */
  entry<Value>(name: string, input: unknown): LiveEntry<Value> | undefined {
    const cached = this.find(name, input);
    // Entries come from `load` of the query of this name only, which has this value.
    return cached && (this.held(cached)?.entry as LiveEntry<Value> | undefined);
  }

  remove(cached: Query): void {
    this.#client.getQueryCache().remove(cached);
  }
}
