import { formatWeekdayDate } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { cx } from '../../../ui/cx.ts';
import type { SiteStanding } from './use-site-standing.ts';

/**
 * Standing of the check at the selected site, beside the field's label. Limited to one line, so that the layout does
 * not shift.
 */
export function SiteNote({ standing }: { standing: SiteStanding | undefined }) {
  if (standing === undefined) return null;
  const { isDue, isOverdue, doneBy, nextDue, lastDone } = standing;
  const text =
    doneBy !== undefined
      ? formMessages.doneMeanwhileBy(doneBy)
      : isOverdue
        ? formMessages.overdue
        : isDue
          ? formMessages.dueBy(shortDay(nextDue))
          : lastDone !== null && formMessages.doneOn(shortDay(lastDone));
  if (text === false) return null;
  return (
    <span
      className={cx(
        'min-w-0 truncate font-semibold',
        doneBy !== undefined ? 'text-info' : isOverdue ? 'text-bad' : isDue ? 'text-due' : 'text-ok',
      )}
    >
      <span aria-hidden>· </span>
      {text}
    </span>
  );
}

/** Formats a day without its year: "Thu 26 Nov". */
export function shortDay(day: string): string {
  return formatWeekdayDate(day).replace(/ \d{4}$/, '');
}
