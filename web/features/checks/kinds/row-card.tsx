import type { ReactNode } from 'react';
import { cx } from '../../../ui/cx.ts';

type Props = {
  id: string;
  name: string;
  /** Floor and room. */
  place: string;
  /** What was found the last time, and when. */
  last: string | undefined;
  /** The state in a word. */
  tag?: ReactNode;
  /** In front of the name: the checkbox that chooses the row. */
  choose?: ReactNode;
  /** Something is entered here. */
  filled: boolean;
  children: ReactNode;
};

/** One thing that is checked. What is out of sight is not laid out: a form may have hundreds. */
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
          {/* Beside the name alone: a longer word must not break the place anew, and move what is below it. */}
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
