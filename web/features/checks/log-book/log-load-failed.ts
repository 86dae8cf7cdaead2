import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { logWordsOf } from '#shared/features/checks/readings.vocabulary.ts';

/** Returns the error message for a log that could not be loaded; a kind may have its own. */
export function logLoadFailed(kind: CheckKind): string {
  return (
    logWordsOf(kind).loadFailed ?? `Failed to load ${CHECK_VOCABULARY[kind].title.toLowerCase()} records`
  );
}
