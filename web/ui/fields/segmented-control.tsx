import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';

type Option<V extends string> = { value: V; label: string; icon?: ReactNode };
type Props<V extends string> = {
  label: string;
  value: V;
  options: readonly Option<V>[];
  onChange: (value: V) => void;
  /** Shows only icons on a narrow screen; the words stay for screen readers. */
  iconsOnPhone?: boolean | undefined;
};

/** A choice of few options, all visible. Made of radio buttons: arrow keys move, and there is one tab stop. */
export function SegmentedControl<V extends string>({
  label,
  value,
  options,
  onChange,
  iconsOnPhone,
}: Props<V>) {
  const name = useId();
  return (
    <fieldset className="inline-flex min-w-0 max-w-full shrink-0 overflow-x-auto rounded-control border border-line-2 bg-surface">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.label}
          className={cx(
            'flex h-[34px] shrink-0 cursor-pointer items-center gap-1.5 px-3 font-medium text-ink-2 transition-colors first-of-type:rounded-l-[7px] last-of-type:rounded-r-[7px] hover:text-ink',
            'has-checked:bg-mute has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-brand has-focus-visible:-outline-offset-2 pointer-coarse:h-[46px] pointer-coarse:px-3.5',
            // Words may be closer together than icons, which must stay wide enough to touch.
            iconsOnPhone !== true && 'max-sm:pointer-coarse:px-2',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.icon}
          <span className={cx(iconsOnPhone === true && 'max-lg:sr-only')}>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
