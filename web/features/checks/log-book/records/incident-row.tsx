import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import { useHighlight } from '../../../../live/hooks/use-highlight.ts';
import { cx } from '../../../../ui/cx.ts';
import { EntryBadge } from './entry-badge.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EntryMarks } from './entry-lines.tsx';
import { Initials } from './initials.tsx';
import type { LogEntry } from './log-entry.ts';
import { logNumberText } from './log-number.ts';
import { phoneCell, recordCell, weekCell } from './week-cells.ts';

/** Row of an incident, below the row of its week. */
export function IncidentRow({ entry, href }: { entry: LogEntry; href: string }) {
  const glow = useHighlight('checkVisit', entry.visitId);
  return (
    <tr
      data-entry={entry.id}
      data-incident={entry.kind}
      className={cx(
        'relative border-line border-b bg-info-soft/40 last:border-b-0 hover:bg-info-soft max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:px-4 max-md:py-3',
        'has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand has-[a:focus-visible]:-outline-offset-2',
        glow !== undefined && 'bg-brand-soft',
      )}
    >
      <td className={cx(weekCell, phoneCell, 'max-md:hidden')} />
      <td className={cx(weekCell, phoneCell, 'whitespace-nowrap text-ink tabular-nums')}>
        {formatWeekdayDate(entry.day)}
      </td>
      <td
        className={cx(
          weekCell,
          phoneCell,
          'max-md:order-3 md:min-w-[8.5rem] lg:min-w-36',
          entry.struck && 'line-through decoration-ink-3',
        )}
      >
        <Link to={href} className="break-words text-ink outline-none after:absolute after:inset-0">
          {entry.subjectName}
        </Link>
      </td>
      <td className={cx(weekCell, phoneCell, 'max-md:order-2 max-md:text-right')}>
        <EntryBadge entry={entry} />
      </td>
      <td className={cx(weekCell, phoneCell, 'max-md:order-4 max-md:text-right')}>
        <Initials name={entry.operativeName} />
      </td>
      <td
        className={cx(
          weekCell,
          phoneCell,
          'text-ink-2 max-md:order-5 max-md:col-span-2 md:min-w-36 lg:min-w-56',
        )}
      >
        <EntryDetails entry={entry} />
        <EntryMarks entry={entry} />
      </td>
      <td className={cx(weekCell, phoneCell, 'whitespace-nowrap text-ink-2 tabular-nums', recordCell)}>
        <span className="flex items-center gap-1.5">
          <ShieldCheck size={14} aria-hidden />
          {logNumberText(entry.logNumber)}
        </span>
      </td>
    </tr>
  );
}
