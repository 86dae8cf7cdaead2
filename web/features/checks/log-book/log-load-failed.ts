import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logWordsOf } from '#shared/features/checks/readings.vocabulary.ts';

/** The sentence where the log of a kind of check cannot be read, unless the kind has one of its own. */
export function logLoadFailed(kind: CheckKind): string {
  return (
    logWordsOf(kind).loadFailed ?? `Failed to load ${CHECK_VOCABULARY[kind].title.toLowerCase()} records`
  );
}
