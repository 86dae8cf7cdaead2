import type { Display, UpdateDisplayInput } from '#shared/features/displays/displays.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import type { Changes } from '#shared/live/live.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';

type Editable = Pick<Display, 'name' | 'view' | 'allBuildings' | 'buildingIds' | 'settings'>;

/**
 * Merges an edit into a locked display (rule S6). Lists and settings are compared by their content.
 * @throws AppError `conflict` if another person changed an edited field since
 */
export function mergeDisplay(
  before: Display,
  touched: UpdateDisplayInput['changes'],
): { set: Partial<Editable>; changes: Changes } {
  const present: Record<string, string> = {};
  const edits: Record<string, { from: string; to: string }> = {};
  for (const [field, edit] of Object.entries(touched)) {
    if (edit === undefined) continue;
    // The cast is needed because Object.entries returns the field names as plain strings.
    present[field] = textOf(before[field as keyof Editable]);
    edits[field] = { from: textOf(edit.from), to: textOf(edit.to) };
  }
  const fields = Object.keys(mergeEdit(present, before.version, edits, displayMessages.changed));
  const set = Object.fromEntries(fields.map((field) => [field, touched[field as keyof Editable]?.to]));
  const changes = Object.fromEntries(
    fields.map((field) => [field, [before[field as keyof Editable], set[field]]]),
  );
  return { set: set as Partial<Editable>, changes: changes as Changes };
}

/** Returns the same text for the same content: lists of ids in any order, keys of settings in any order. */
function textOf(value: Editable[keyof Editable]): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return JSON.stringify([...value].sort());
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
