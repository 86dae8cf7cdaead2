import { cx } from './cx.ts';

/** The text of a chip: its name, or the chosen options. */
export function chipText(label: string, chosen: readonly string[]): string {
  if (chosen.length === 0) return label;
  const [first, second, ...more] = chosen;
  return [first, second, more.length > 0 && `+${more.length}`].filter(Boolean).join(', ');
}

export function chipStyle(on: boolean, clearable: boolean): string {
  return cx(
    'inline-flex h-[30px] shrink-0 items-center gap-1.5 rounded-full border px-2.5 font-medium text-sm whitespace-nowrap transition-colors pointer-coarse:h-12 pointer-coarse:px-4 pointer-coarse:text-md',
    on ? 'border-brand bg-brand-soft text-brand' : 'border-line-2 bg-surface text-ink-2 hover:text-ink',
    on && clearable && 'pr-8 pointer-coarse:pr-12',
  );
}
