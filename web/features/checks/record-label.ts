import { INCIDENT_WORDS, isIncident, type LogKind } from '#shared/features/checks/incidents.words.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_WORDS } from '#shared/features/checks/kinds.words.ts';

/** What the main action says that it will do. */
export function recordLabel(kind: LogKind, filled: number, rows: number): string {
  if (isIncident(kind)) return INCIDENT_WORDS[kind].record;
  if (checks[kind].subject.of === 'place') return 'Record test';
  return rows === 0
    ? 'Record'
    : `Record ${filled} of ${rows} ${CHECK_WORDS[kind].subject.many.toLowerCase()}`;
}
