import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEntry } from './stream/join.ts';
import type { AnyLiveQuery, LiveQuery } from './types.ts';

/** An entry of the query cache that belongs to a live query, filled or not. */
export type CacheSlot = {
  cached: Query;
  query: AnyLiveQuery;
  input: unknown;
  entry: LiveEntry | undefined;
};

/** The live part of the query cache: entries of registered queries, found by name. */
export class Entries {
  readonly #client: QueryClient;
  readonly #queries = new Map<string, AnyLiveQuery>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  register<Input, Value>(query: LiveQuery<Input, Value>): void {
    this.#queries.set(query.name, query);
  }

  /** The slot of a cached query; undefined if it is no live query. */
  held(cached: Query): CacheSlot | undefined {
    const [name, input] = cached.queryKey;
    const query = typeof name === 'string' ? this.#queries.get(name) : undefined;
    // The cast: only `LiveCache.load` writes under the name of a registered query.
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

  /** The slots that a component shows. */
  onScreen(): CacheSlot[] {
    return this.all().filter(({ cached }) => cached.isActive());
  }

  find(name: string, input: unknown): Query | undefined {
    return this.#client.getQueryCache().find({ queryKey: [name, input], exact: true });
  }

  /** The entry of a query for an input. */
  entry<Value>(name: string, input: unknown): LiveEntry<Value> | undefined {
    const cached = this.find(name, input);
    // The cast: only `load` of the query with this name writes its entries, and its value has this type.
    return cached && (this.held(cached)?.entry as LiveEntry<Value> | undefined);
  }

  remove(cached: Query): void {
    this.#client.getQueryCache().remove(cached);
  }
}
