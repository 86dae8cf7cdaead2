import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { Popover } from '../dialogs/popover.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import type { CalendarProps } from './calendar.tsx';

const load = () => import('./calendar.tsx');
const Calendar = lazy(load);

type Props = CalendarProps & {
  /** The contents of the button. */
  children: ReactNode;
  className?: string | undefined;
  align?: 'start' | 'end' | undefined;
};

/** A button that opens a calendar. */
export function CalendarButton({ children, className, align, onChoose, ...calendar }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    // Restores the focus only if it was inside; a press elsewhere has already moved the focus.
    const inside = root.current?.contains(document.activeElement) === true;
    setOpen(false);
    if (inside) button.current?.focus();
  }, []);
  return (
    <div ref={root} className="relative inline-block">
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={calendar.label}
        title={calendar.label}
        className={className}
        onPointerEnter={() => void load()}
        onClick={() => (open ? close() : setOpen(true))}
      >
        {children}
      </button>
      {open && (
        <Popover within={root} onClose={close} align={align}>
          <Suspense fallback={<Skeleton className="m-3 size-64" />}>
            <Calendar
              {...calendar}
              onChoose={(day) => {
                close();
                onChoose(day);
              }}
            />
          </Suspense>
        </Popover>
      )}
    </div>
  );
}
