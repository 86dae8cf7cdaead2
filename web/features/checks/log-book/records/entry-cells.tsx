import { ShieldCheck } from 'lucide-react';
import { cx } from '../../../../ui/cx.ts';
import { EntryBadge } from './entry-badge.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EntryMarks } from './entry-lines.tsx';
import { Initials } from './initials.tsx';
import type { LogEntry } from './log-entry.ts';
import { logNumberText } from './log-number.ts';
import { phoneCell, recordCell, weekCell } from './week-cells.ts';

type Props = {
  entry: LogEntry;
  /** Order of the initials on a phone, where a row is laid out as a card. */
  initials: 'max-md:order-3' | 'max-md:order-4';
  /** Class with the minimum width of the notes. */
  notes: string;
};

/** The last cells of a row of an entry: result, who recorded it, notes and the number of the record. */
export function EntryCells({ entry, initials, notes }: Props) {
  return (
    <>
      <td className={cx(weekCell, phoneCell, 'max-md:order-2 max-md:text-right')}>
        <EntryBadge entry={entry} />
      </td>
      <td className={cx(weekCell, phoneCell, initials, 'max-md:text-right')}>
        <Initials name={entry.operativeName} />
      </td>
      <td className={cx(weekCell, phoneCell, 'text-ink-2 max-md:order-5 max-md:col-span-2', notes)}>
        <EntryDetails entry={entry} />
        <EntryMarks entry={entry} />
      </td>
      <td className={cx(weekCell, phoneCell, 'whitespace-nowrap text-ink-2 tabular-nums', recordCell)}>
        <span className="flex items-center gap-1.5">
          <ShieldCheck size={14} aria-hidden />
          {logNumberText(entry.logNumber)}
        </span>
      </td>
    </>
  );
}
