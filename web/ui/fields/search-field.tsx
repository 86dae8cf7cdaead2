import { Search, X } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { cx } from '../cx.ts';
import { controlStyle } from './field.tsx';

type Props = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

/** A search box: its label is for screen readers, and a cross clears it. */
export function SearchField({ label, value, onChange, className, ...rest }: Props) {
  const id = useId();
  return (
    <div className={cx('relative', className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
      />
      <input
        id={id}
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={label}
        autoComplete="off"
        className={cx(
          controlStyle,
          // While the cross is not shown, the placeholder takes its room.
          'h-9 px-9 placeholder:text-ellipsis placeholder-shown:pr-2 pointer-coarse:h-12 [&::-webkit-search-cancel-button]:hidden',
        )}
        {...rest}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          title="Clear search"
          onClick={() => onChange('')}
          className="absolute top-1/2 right-1 grid size-7 -translate-y-1/2 place-items-center rounded-control text-ink-2 hover:bg-mute pointer-coarse:size-11"
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
