import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { ClearChip } from './clear-chip.tsx';
import { cx } from './cx.ts';
import type { ListboxProps } from './listbox-list.tsx';
import { OnDemand } from './on-demand.tsx';

export type ListboxOption<V extends string> = { value: V; label: string; icon?: ReactNode };

/** The face of a chip: its name while nothing is chosen, the choice when something is. */
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

/** A chip that opens a list to choose several from (or one, with `single`). A cross clears it. */
export function Listbox<V extends string>(props: ListboxProps<V>) {
  const chosen = props.options
    .filter((option) => props.value.includes(option.value))
    .map((option) => option.label);
  const text = chipText(
    props.label,
    props.prefix === undefined ? chosen : [`${props.prefix}: ${chosen.join(', ')}`],
  );
  const on = props.active ?? chosen.length > 0;
  const clearable = props.onClear !== undefined;
  return (
    <span className="relative inline-flex">
      <OnDemand<ListboxProps<V> & { text: string; on: boolean }>
        load={() => import('./listbox-list.tsx')}
        props={{ ...props, text, on }}
      >
        {(trigger) => (
          <button
            type="button"
            aria-haspopup="listbox"
            aria-expanded={false}
            aria-label={text === props.label ? props.label : `${props.label}: ${text}`}
            className={chipStyle(on, clearable)}
            {...trigger}
          >
            {text}
            {!(on && clearable) && <ChevronDown size={13} aria-hidden />}
          </button>
        )}
      </OnDemand>
      {on && props.onClear !== undefined && (
        <ClearChip label={`Clear ${props.label}`} onClick={props.onClear} />
      )}
    </span>
  );
}
