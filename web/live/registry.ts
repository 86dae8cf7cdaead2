import type { LiveEntity } from '#shared/live-entities.ts';
import type { AnyLiveQuery } from './types.ts';

type Concerned<Queries extends readonly AnyLiveQuery[]> = Queries[number]['entities'][number];
type Missing<Queries extends readonly AnyLiveQuery[]> = Exclude<LiveEntity, Concerned<Queries>>;

/** The list of all live queries. It does not compile while an entity is missing from all of them. */
export function liveRegistry<const Queries extends readonly AnyLiveQuery[]>(
  ...queries: [Missing<Queries>] extends [never] ? Queries : [missing: Missing<Queries>]
): readonly AnyLiveQuery[] {
  // The compiler cannot see that the other branch of the condition never occurs.
  return queries as unknown as Queries;
}
