import type { ReactNode } from 'react';
import { cx } from '../../../../ui/cx.ts';

type Props = {
  id: string;
  name: string;
  /** Floor and room. */
  place: string;
  /** Last result and its date. */
  last: string | undefined;
  /** Badge with the row's state. */
  tag?: ReactNode;
  /** Checkbox in front of the name that selects the row. */
  choose?: ReactNode;
  /** A value has been entered in this row. */
  filled: boolean;
  children: ReactNode;
};

/** Card of one subject. Off-screen cards are not laid out (`content-visibility`), because a form may have hundreds. */
export function RowCard({ id, name, place, last, tag, choose, filled, children }: Props) {
  return (
    <li
      data-row={id}
      aria-label={name}
      className={cx(
        'scroll-mt-24 rounded-phone border bg-surface px-3.5 py-3 [contain-intrinsic-size:auto_9.5rem] [content-visibility:auto]',
        filled ? 'border-[color-mix(in_oklab,var(--color-brand)_45%,var(--color-line))]' : 'border-line',
      )}
    >
      <div className="mb-2.5 flex items-center gap-2.5">
        {choose}
        <div className="min-w-0 flex-1">
          {/* The tag is beside the name only: a longer word in the tag must not rewrap the place and shift the content
              below. */}
          <div className="flex items-center gap-2.5">
            <h3 className="min-w-0 flex-1 font-semibold text-[15.5px] text-ink leading-snug [overflow-wrap:anywhere]">
              {name}
            </h3>
            {tag}
          </div>
          <p className="text-pretty text-ink-2 text-sm [overflow-wrap:anywhere]">{place}</p>
          {last !== undefined && <p className="text-ink-2 text-sm tabular-nums">Last: {last}</p>}
        </div>
      </div>
      {children}
    </li>
  );
}
