import { ListboxOption as HeadlessOption, Listbox, ListboxButton, ListboxOptions } from '@headlessui/react';
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { chipStyle } from '../chip.ts';

export type ListboxOption<V extends string> = { value: V; label: string; icon?: ReactNode };

export type ListboxProps<V extends string> = {
  label: string;
  /** Shows the choice as "Prefix: choice", for choices that are unclear without the prefix. */
  prefix?: string | undefined;
  options: readonly ListboxOption<V>[];
  value: readonly V[];
  onChange: (value: V[]) => void;
  /** Allows one choice only; the list then closes on a choice. */
  single?: boolean | undefined;
  /** Whether the chip is drawn as set; by default if anything is chosen. */
  active?: boolean | undefined;
  onClear?: (() => void) | undefined;
};

type Drawn = { text: string; on: boolean };

/** The lazily loaded part of `Listbox`; use `Listbox` instead. */
export default function ListboxList<V extends string>(props: ListboxProps<V> & Drawn) {
  const { label, options, value, onChange, single, onClear, text, on } = props;
  const clearable = onClear !== undefined;
  const face = (
    <>
      <ListboxButton
        aria-label={text === label ? label : `${label}: ${text}`}
        className={chipStyle(on, clearable)}
      >
        {text}
        {!(on && clearable) && <ChevronDown size={13} aria-hidden />}
      </ListboxButton>
      <ListboxOptions
        anchor={{ to: 'bottom start', gap: 6, padding: 8 }}
        className="z-50 min-w-48 rounded-panel border border-line bg-surface p-1.5 shadow-overlay focus:outline-none"
      >
        {options.map((option) => (
          <HeadlessOption
            key={option.value}
            value={option.value}
            className="group flex cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-2 text-base text-ink data-focus:bg-mute pointer-coarse:min-h-12 pointer-coarse:text-md"
          >
            {option.icon}
            <span className="flex-1">{option.label}</span>
            <Check size={16} aria-hidden className="invisible text-brand group-data-selected:visible" />
          </HeadlessOption>
        ))}
      </ListboxOptions>
    </>
  );
  return single === true ? (
    <Listbox value={value[0] ?? null} onChange={(next: V | null) => next !== null && onChange([next])}>
      {face}
    </Listbox>
  ) : (
    <Listbox multiple value={[...value]} onChange={(next: V[]) => onChange(next)}>
      {face}
    </Listbox>
  );
}
