import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useCallback, useId, useRef, useState } from 'react';
import { buttonStyle } from '../buttons/button-style.ts';
import { cx } from '../cx.ts';
import { Popover } from '../dialogs/popover.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { controlLook } from './field.tsx';
import { insetBox, insetWrong } from './inset-field.tsx';
import type { PickerProps } from './picker-props.ts';

const load = () => import('./picker-panel.tsx');
const Panel = lazy(load);

/** Chooses one of very many options: a button that opens a search box over a windowed list. */
export function Picker(props: PickerProps) {
  const {
    label,
    options,
    value,
    placeholder,
    icon,
    align = 'start',
    block = false,
    disabled = false,
    inset = false,
    large = false,
    note,
    invalid = false,
  } = props;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const chosen = value === undefined ? undefined : options.find((option) => option.id === value);

  const close = useCallback(() => {
    // Restores the focus only if it was inside; a press elsewhere has already moved the focus.
    const inside = root.current?.contains(document.activeElement) === true;
    setOpen(false);
    if (inside) button.current?.focus();
  }, []);

  return (
    <div ref={root} className={cx('relative', block || inset ? 'w-full' : 'max-w-full')}>
      <button
        ref={button}
        type="button"
        disabled={disabled}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${label}: ${chosen?.label ?? placeholder}`}
        aria-describedby={props.describedBy}
        data-invalid={invalid || undefined}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => (open ? close() : setOpen(true))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          setOpen(true);
        }}
        className={
          inset
            ? cx(insetBox, invalid && insetWrong)
            : block
              ? cx('flex h-9 items-center gap-2 data-invalid:border-bad pointer-coarse:h-12', controlLook)
              : cx(buttonStyle('secondary'), 'max-w-full shrink max-sm:w-full')
        }
      >
        {icon}
        {inset ? (
          <span className="grid min-w-0 flex-1">
            <span className="flex min-w-0 gap-1 text-ink-3 text-xs">
              {label}
              {note}
            </span>
            <span
              className={cx(
                'truncate',
                large ? 'text-lg leading-6' : 'text-md',
                chosen === undefined ? 'text-ink-2' : large ? 'font-semibold' : 'font-medium',
              )}
            >
              {chosen?.label ?? placeholder}
            </span>
          </span>
        ) : (
          <span
            className={cx(
              'min-w-0 truncate',
              block && 'flex-1 text-left',
              chosen === undefined && 'text-ink-2',
            )}
          >
            {chosen?.label ?? placeholder}
          </span>
        )}
        <ChevronDown size={inset ? 18 : block ? 16 : 14} aria-hidden className="shrink-0 text-ink-3" />
      </button>
      {open && (
        <Popover
          within={root}
          onClose={close}
          align={align}
          className={cx('sm:min-w-80', (block || inset) && 'sm:w-full')}
        >
          <Suspense fallback={<Skeleton className="m-2 h-9" />}>
            <Panel
              {...props}
              listId={`${id}-list`}
              onChoose={(next) => {
                props.onChange(next);
                close();
              }}
            />
          </Suspense>
        </Popover>
      )}
    </div>
  );
}
