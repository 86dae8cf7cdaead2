import {
  INCIDENT_VOCABULARY,
  isIncident,
  type LogKind,
} from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';

/** Returns the label of the main action, such as "Record 2 of 6 outlets". */
export function recordLabel(kind: LogKind, filled: number, wanted: number): string {
  if (isIncident(kind)) return INCIDENT_VOCABULARY[kind].record;
  if (checks[kind].subject.of === 'place') return 'Record test';
  if (wanted === 0) return 'Record';
  const { one, many } = CHECK_VOCABULARY[kind].subject;
  return `Record ${filled} of ${wanted} ${(wanted === 1 ? one : many).toLowerCase()}`;
}
