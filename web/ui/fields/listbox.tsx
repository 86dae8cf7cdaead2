import { ChevronDown } from 'lucide-react';
import { chipStyle, chipText } from '../chip.ts';
import { ClearChip } from '../lists/clear-chip.tsx';
import { OnDemand } from '../on-demand.tsx';
import type { ListboxProps } from './listbox-list.tsx';

/** A chip that opens a list for choosing several options (or one, with `single`). A cross clears it. */
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
