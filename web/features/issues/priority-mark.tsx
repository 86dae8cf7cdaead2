import {
  ISSUE_PRIORITIES,
  ISSUE_PRIORITY_LABELS,
  type IssuePriority,
} from '#shared/features/issues/issues.vocabulary.ts';
import { cx } from '../../ui/cx.ts';

const STEPS = [0, 1, 2, 3] as const;
const styles: Record<IssuePriority, { bars: string; word: string }> = {
  low: { bars: 'fill-low', word: 'text-low-ink' },
  medium: { bars: 'fill-medium', word: 'text-medium-ink' },
  high: { bars: 'fill-high', word: 'text-high-ink' },
  critical: { bars: 'fill-critical', word: 'text-critical-ink' },
};

/** Priority as one to four bars, so that it is not shown by colour alone. */
export function PriorityBars({ priority }: { priority: IssuePriority }) {
  const level = ISSUE_PRIORITIES.indexOf(priority);
  return (
    <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden className="flex-none">
      {STEPS.map((step) => (
        <rect
          key={step}
          x={step * 3.6}
          y={9 - step * 3}
          width="2.6"
          height={3 + step * 3}
          rx="1"
          className={step <= level ? styles[priority].bars : 'fill-step-off'}
        />
      ))}
    </svg>
  );
}

/** The bars with the priority's label. */
export function PriorityMark({ priority }: { priority: IssuePriority }) {
  return (
    <span className={cx('inline-flex items-center gap-[5px] font-medium text-xs', styles[priority].word)}>
      <PriorityBars priority={priority} />
      {ISSUE_PRIORITY_LABELS[priority]}
    </span>
  );
}
