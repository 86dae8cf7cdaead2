import type { LiveEntity } from '#shared/live/live-entities.ts';
import type { AnyLiveQuery } from './types.ts';

type Missing<Queries extends readonly AnyLiveQuery[], Others> = Exclude<
  LiveEntity,
  Queries[number]['entities'][number] | Others
>;

/**
 * Returns the queries. Does not compile while an entity concerns none of them, and names it.
 * @param _others the entities that concern a query elsewhere
 */
export function everyEntity<const Queries extends readonly AnyLiveQuery[], Others extends LiveEntity>(
  queries: Queries &
    ([Missing<Queries, Others>] extends [never] ? unknown : { missing: Missing<Queries, Others> }),
  _others: readonly Others[],
): readonly AnyLiveQuery[] {
  return queries;
}
