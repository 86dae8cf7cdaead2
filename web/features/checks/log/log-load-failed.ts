import { fireAlarmMessages } from '#shared/features/checks/kind-messages.ts';
import { CHECK_WORDS, type CheckKind } from '#shared/features/checks/kinds.words.ts';

/** The sentence where the log of a kind of check cannot be read; the fire log has one of its own. */
export function logLoadFailed(kind: CheckKind): string {
  if (kind === 'fire_alarm_test') return fireAlarmMessages.loadFailed;
  return `Failed to load ${CHECK_WORDS[kind].title.toLowerCase()} records`;
}
