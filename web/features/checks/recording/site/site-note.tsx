import { formatWeekdayDate } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { cx } from '../../../../ui/cx.ts';
import type { Progress } from '../../due/due-sites.ts';
import type { SiteStanding } from './use-site-standing.ts';

/**
 * Standing of the check at the selected site, beside the field's label. Limited to one line, so that the layout does
 * not shift.
 */
export function SiteNote({ kind, standing }: { kind: LogKind; standing: SiteStanding | undefined }) {
  if (standing === undefined) return null;
  const { isDue, isOverdue, progress, doneBy, nextDue, lastDone } = standing;
  const due = isOverdue ? formMessages.overdue : formMessages.dueBy(shortDay(nextDue));
  const text =
    doneBy !== undefined
      ? formMessages.doneMeanwhileBy(doneBy)
      : isDue
        ? [progressText(kind, progress), due].filter(Boolean).join(' · ')
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

/** "3 of 4 outlets" for a partly done check; undefined for others. */
export function progressText(kind: LogKind, progress: Progress | undefined): string | undefined {
  if (progress === undefined || isIncident(kind)) return undefined;
  const { many } = CHECK_VOCABULARY[kind].subject;
  return formMessages.partlyDone(progress.done, progress.of, many.toLowerCase());
}

/** Formats a day without its year: "Thu 26 Nov". */
export function shortDay(day: string): string {
  return formatWeekdayDate(day).replace(/ \d{4}$/, '');
}
