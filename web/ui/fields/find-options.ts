import { searchKey } from '#shared/text/name-keys.ts';
import type { PickerOption } from './picker-props.ts';

export type PickerRow = { kind: 'group'; name: string } | { kind: 'option'; option: PickerOption };
type Searchable = { option: PickerOption; text: string };

/** Prepares options for the search: their keys are made once, so that a keystroke costs one substring search per option. */
export function searchable(options: readonly PickerOption[]): Searchable[] {
  return options.map((option) => ({
    option,
    text: searchKey([option.label, option.detail, option.group].filter(Boolean).join('\n')),
  }));
}

/** The rows for a search: every word must occur. The name of a group precedes its first match. */
export function findOptions(index: readonly Searchable[], search: string): PickerRow[] {
  const words = searchKey(search).split(' ').filter(Boolean);
  const rows: PickerRow[] = [];
  let group: string | undefined;
  for (const { option, text } of index) {
    if (!words.every((word) => text.includes(word))) continue;
    if (option.group !== undefined && option.group !== group)
      rows.push({ kind: 'group', name: option.group });
    group = option.group;
    rows.push({ kind: 'option', option });
  }
  return rows;
}
