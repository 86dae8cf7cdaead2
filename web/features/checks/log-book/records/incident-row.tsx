import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import { useHighlight } from '../../../../live/hooks/use-highlight.ts';
import { cx } from '../../../../ui/cx.ts';
import { EntryCells } from './entry-cells.tsx';
import type { LogEntry } from './log-entry.ts';
import { phoneCell, weekCell } from './week-cells.ts';

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
      <EntryCells entry={entry} initials="max-md:order-4" notes="md:min-w-36 lg:min-w-56" />
    </tr>
  );
}
