import { cx } from '../../../../ui/cx.ts';
import { initialsOf } from './initials-of.ts';

/** Initials of the operative. The full name shows on hover and focus, and is the label for screen readers. */
export function Initials({ name, className }: { name: string; className?: string }) {
  return (
    <button
      type="button"
      aria-label={name}
      className={cx(
        'group relative z-[1] inline-grid size-[26px] cursor-default place-items-center rounded-full bg-[#2f6f73] font-semibold text-[10.5px] text-white leading-none tracking-[0.01em] print:bg-transparent print:text-ink',
        className,
      )}
    >
      <span aria-hidden>{initialsOf(name)}</span>
      <span
        aria-hidden
        className="pointer-events-none absolute bottom-full left-1/2 mb-1.5 hidden -translate-x-1/2 rounded-control bg-ink px-2 py-1 font-medium text-surface text-xs whitespace-nowrap group-hover:block group-focus:block print:hidden"
      >
        {name}
      </span>
    </button>
  );
}
