import type { PickerOption } from './picker.tsx';

export type PickerRow = { kind: 'group'; name: string } | { kind: 'option'; option: PickerOption };
type Searchable = { option: PickerOption; text: string };

/** Lower-cases each option once, so that a keystroke over thousands costs a substring search each and no more. */
export function searchable(options: readonly PickerOption[]): Searchable[] {
  return options.map((option) => ({
    option,
    text: [option.label, option.detail, option.group].filter(Boolean).join('\n').toLowerCase(),
  }));
}

/** The rows of the list for a search: every word must occur; a group's name stands above its first match. */
export function findOptions(index: readonly Searchable[], search: string): PickerRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
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
