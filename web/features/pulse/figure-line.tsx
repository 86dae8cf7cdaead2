import type { LucideIcon } from 'lucide-react';
import { formatNumber } from '#shared/format-number.ts';
import { formatAtLeast } from '#shared/text/counted.ts';
import { cx } from '../../ui/cx.ts';

/** One figure of a card: "3 overdue". A figure that requires action has a colour and an icon. */
export type CardFigure = {
  count: number | null;
  /** `count` is a minimum. */
  isLeast?: boolean;
  label: string;
  tone: 'plain' | 'due' | 'bad';
  icon?: LucideIcon;
};

const TONES: Readonly<Record<CardFigure['tone'], string>> = {
  plain: 'text-ink-2',
  due: 'text-due',
  bad: 'text-bad',
};

/** The figures of a card, in one line if they fit. The height stays the same while the figures load. */
export function FigureLine({ figures }: { figures: readonly CardFigure[] | undefined }) {
  return (
    <span className="mt-1.5 flex min-h-6 flex-wrap items-baseline gap-x-3 gap-y-0.5">
      {figures?.map(({ count, isLeast = false, label, tone, icon: Icon }) => (
        <span key={label} className={cx('inline-flex items-baseline gap-1 whitespace-nowrap', TONES[tone])}>
          {Icon !== undefined && <Icon size={14} aria-hidden className="self-center" />}
          {count !== null && (
            <b className="font-medium text-md tabular-nums">
              {isLeast ? formatAtLeast(count) : formatNumber(count)}
            </b>
          )}
          {label}
        </span>
      ))}
    </span>
  );
}
