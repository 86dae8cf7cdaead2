import { formatDateTime } from '#shared/dates.ts';
import {
  ISSUE_PRIORITY_LABELS,
  ISSUE_STATUS_LABELS,
  PAUSE_REASON_LABELS,
} from '#shared/features/issues/issues.vocabulary.ts';
import type { HistoryEntry } from '#shared/history.ts';
import { textOf } from '../../../lib/text-of.ts';

type Changes = NonNullable<HistoryEntry['changes']>;

/** Describes a history entry, one sentence for each change: "changed status from Open to In Progress". */
export function describeHistoryEntry(entry: HistoryEntry): string[] {
  if (entry.erased) return ['made a change whose details have been erased'];
  if (entry.changes === null) return ['reported the issue'];
  const changes = entry.changes;
  const lines = [
    changes.acknowledgedAt && 'acknowledged the issue',
    labelled(changes, 'status', 'status', ISSUE_STATUS_LABELS),
    labelled(changes, 'priority', 'priority', ISSUE_PRIORITY_LABELS),
    assigned(changes),
    changes.title && `changed title from “${textOf(changes.title[0])}” to “${textOf(changes.title[1])}”`,
    described(changes),
    paused(changes),
    dated(changes, 'respondDueAt', 'Respond by'),
    dated(changes, 'resolveDueAt', 'Resolve by'),
  ].filter((line) => line !== undefined);
  return lines.length > 0 ? lines : ['saved the issue'];
}

function labelled(changes: Changes, field: string, name: string, labels: Readonly<Record<string, string>>) {
  const change = changes[field];
  if (change === undefined) return undefined;
  const [from, to] = change.map((value) => labels[textOf(value)] ?? textOf(value));
  return `changed ${name} from ${from} to ${to}`;
}

function assigned(changes: Changes): string | undefined {
  if (changes.assignedTo === undefined) return undefined;
  const [from, to] = (changes.assignedToName ?? [null, null]).map((value) =>
    value === null ? null : textOf(value),
  );
  if (changes.assignedTo[1] === null) return from == null ? 'unassigned it' : `unassigned it from ${from}`;
  const whom = `assigned it to ${to ?? 'someone'}`;
  return from == null ? whom : `${whom}, before ${from}`;
}

function described(changes: Changes): string | undefined {
  if (changes.description === undefined) return undefined;
  const [from, to] = changes.description.map(textOf);
  if (from === '') return `added the description “${to}”`;
  return to === '' ? `removed the description “${from}”` : `changed description from “${from}” to “${to}”`;
}

function paused(changes: Changes): string | undefined {
  if (changes.pauseReason === undefined) return undefined;
  const to = changes.pauseReason[1];
  if (to === null) return 'restarted the response clocks';
  const labels: Readonly<Record<string, string>> = PAUSE_REASON_LABELS;
  return `paused the response clocks: ${(labels[textOf(to)] ?? textOf(to)).toLowerCase()}`;
}

function dated(changes: Changes, field: string, name: string): string | undefined {
  const to = changes[field]?.[1];
  return typeof to === 'string' ? `${name} is now ${formatDateTime(to)}` : undefined;
}
