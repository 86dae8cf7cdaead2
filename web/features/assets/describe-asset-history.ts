import { formatDay } from '#shared/dates.ts';
import {
  ASSET_FREQUENCY_LABELS,
  ASSET_TYPE_LABELS,
  OUTLET_KIND_LABELS,
} from '#shared/features/assets/assets.vocabulary.ts';
import type { HistoryEntry } from '#shared/history.ts';
import { textOf } from '../../lib/text-of.ts';

type Changes = NonNullable<HistoryEntry['changes']>;

const FIELDS: readonly (readonly [field: string, name: string, words: (value: unknown) => string])[] = [
  ['name', 'the name', quoted],
  ['description', 'the description', quoted],
  ['type', 'the type', labelled(ASSET_TYPE_LABELS)],
  ['outletKind', 'the outlet kind', labelled(OUTLET_KIND_LABELS)],
  ['quantity', 'the quantity', textOf],
  ['lastVisitDate', 'the last visit', (value) => (typeof value === 'string' ? formatDay(value) : 'never')],
  ['frequency', 'the frequency', labelled(ASSET_FREQUENCY_LABELS)],
  ['floorName', 'the floor', (value) => (value === null ? 'no floor' : textOf(value))],
  ['roomName', 'the room', quoted],
];

/** Describes a history entry, one sentence for each change: "changed the room from “General” to “Kitchen”". */
export function describeHistoryEntry(entry: HistoryEntry): string[] {
  if (entry.erased) return ['made a change whose details have been erased'];
  const { changes, command } = entry;
  if (changes === null) return ['added the asset'];
  if (changes['retiredAt'] !== undefined) {
    return [changes['retiredAt'][1] === null ? 'restored the asset' : 'retired the asset'];
  }
  const visited = changes['lastVisitDate']?.[1];
  if (command.startsWith('checks.') && typeof visited === 'string') {
    return [`recorded a safety check of ${formatDay(visited)}`];
  }
  const lines = FIELDS.flatMap(([field, name, words]) => line(changes, field, name, words));
  return lines.length > 0 ? lines : ['saved the asset'];
}

function line(changes: Changes, field: string, name: string, words: (value: unknown) => string): string[] {
  const change = changes[field];
  return change === undefined ? [] : [`changed ${name} from ${words(change[0])} to ${words(change[1])}`];
}

function labelled(labels: Readonly<Record<string, string>>) {
  return (value: unknown) => (value === null ? 'nothing' : (labels[textOf(value)] ?? textOf(value)));
}

function quoted(value: unknown): string {
  return `“${textOf(value)}”`;
}
