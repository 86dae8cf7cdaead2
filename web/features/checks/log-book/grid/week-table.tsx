import { ChevronRight, CircleAlert, ShieldCheck } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { formatImported } from '#shared/features/checks/imported.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { signedName } from '#shared/text/names.ts';
import { Button } from '../../../../ui/buttons/button.tsx';
import { cx } from '../../../../ui/cx.ts';
import { ResultBadge } from '../../result-badge.tsx';
import { EntryLines } from '../records/entry-lines.tsx';
import { IncidentRow } from '../records/incident-row.tsx';
import { Initials } from '../records/initials.tsx';
import { logNumberText } from '../records/log-number.ts';
import { weekCell as cell, phoneCell, recordCell } from '../records/week-cells.ts';
import { CELL_LABELS } from './grid-labels.ts';
import type { WeekRow } from './week-rows.ts';

type Props = {
  caption: string;
  /** Header of the subject column: "Call point". */
  subject: string;
  rows: readonly WeekRow[];
  /** First day of the week that is expanded. */
  open: string | null;
  onToggle: (start: string) => void;
  hrefOfEntry: (id: string) => string;
  onExplain: ((row: WeekRow) => void) | undefined;
};

/** Table with one row for each week of a year, oldest first. Each row expands to all entries of the week. */
export function WeekTable({ caption, subject, rows, open, onToggle, hrefOfEntry, onExplain }: Props) {
  const opened = useRef<HTMLTableRowElement>(null);
  const current = useRef<HTMLTableRowElement>(null);
  const first = useRef(true);
  // Scrolls once, to the week in the URL or else to the current week. Expanding a week later does not scroll.
  useEffect(() => {
    if (first.current) (opened.current ?? current.current)?.scrollIntoView({ block: 'center' });
    first.current = false;
  }, []);

  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface print:border-0">
      <table className="w-full text-left max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-md:sr-only">
          <tr className="border-line border-b text-ink-3 text-xs">
            {['Week', 'Week of', subject, 'Result', 'Operative', 'Notes', 'Record'].map((name) => (
              <th key={name} scope="col" className={cx(cell, 'font-medium', name === 'Record' && recordCell)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <Fragment key={row.start}>
              <Week
                row={row}
                ref={row.start === open ? opened : row.when === 'current' ? current : undefined}
                isOpen={row.start === open}
                onToggle={onToggle}
                hrefOfEntry={hrefOfEntry}
                onExplain={onExplain}
              />
              {row.start === open && (
                <tr
                  className="border-line border-b bg-canvas last:border-b-0 max-md:block"
                  id={`week-${row.start}`}
                >
                  <td colSpan={7} className="px-4 py-3 max-md:block">
                    <EntryLines entries={row.entries} hrefOf={hrefOfEntry} />
                  </td>
                </tr>
              )}
              {row.incidents.map((entry) => (
                <IncidentRow key={entry.id} entry={entry} href={hrefOfEntry(entry.id)} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type WeekProps = Pick<Props, 'onToggle' | 'hrefOfEntry' | 'onExplain'> & {
  row: WeekRow;
  isOpen: boolean;
  ref: React.Ref<HTMLTableRowElement> | undefined;
};

function Week({ row, isOpen, onToggle, hrefOfEntry, onExplain, ref }: WeekProps) {
  const shown = row.deciding;
  const ahead = row.when === 'ahead';
  const missed = row.cell === 'not_tested' && row.entries.length === 0;
  return (
    <tr
      ref={ref}
      data-week={row.start}
      data-result={row.result}
      aria-current={row.when === 'current' ? 'date' : undefined}
      className={cx(
        'relative border-line border-b last:border-b-0 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:px-4 max-md:py-3',
        'has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand has-[a:focus-visible]:-outline-offset-2',
        shown !== undefined && 'hover:bg-mute/60',
        row.when === 'current' && 'bg-brand-soft/50',
        ahead && 'text-ink-3',
      )}
    >
      <td className={cx(cell, phoneCell, 'w-24 tabular-nums max-md:hidden md:max-lg:w-16')}>
        <span className="flex items-center gap-1.5">
          {row.entries.length > 0 ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? `week-${row.start}` : undefined}
              aria-label={`Records of week ${row.index + 1}`}
              onClick={() => onToggle(row.start)}
              className="relative z-[1] -my-1 -ml-2 grid size-7 place-items-center rounded-control text-ink-3 hover:bg-mute hover:text-ink pointer-coarse:size-12 print:hidden"
            >
              <ChevronRight
                size={16}
                aria-hidden
                className={cx('transition-transform', isOpen && 'rotate-90')}
              />
            </button>
          ) : (
            <span className="-ml-2 w-7 print:hidden" />
          )}
          {row.index + 1}
        </span>
      </td>
      <td className={cx(cell, phoneCell, 'whitespace-nowrap tabular-nums')}>
        <span className={cx(!ahead && 'text-ink')}>{formatWeekdayDate(row.start)}</span>
        {row.when === 'current' && (
          <span className="ml-2 font-semibold text-brand text-xs md:max-xl:ml-0 md:max-xl:block">
            {logMessages.thisWeek}
          </span>
        )}
        {shown !== undefined && (
          <span className="block text-ink-2 text-sm">
            {logMessages.testedOn(formatWeekdayDate(shown.day))}
          </span>
        )}
      </td>
      <td className={cx(cell, phoneCell, 'max-md:order-3 md:min-w-[8.5rem] lg:min-w-36')}>
        {shown === undefined ? (
          <span className="max-md:hidden">—</span>
        ) : (
          <Link
            to={hrefOfEntry(shown.id)}
            className="text-ink outline-none after:absolute after:inset-0 break-words"
          >
            {shown.subjectName}
            {row.entries.length > 1 && (
              <span className="ml-1.5 text-ink-2 text-sm">+{row.entries.length - 1}</span>
            )}
          </Link>
        )}
      </td>
      <td className={cx(cell, phoneCell, 'max-md:order-2 max-md:text-right')}>
        {row.notDue ? (
          <span className="text-ink-3 text-sm">{CELL_LABELS.off}</span>
        ) : ahead ? (
          <span className="text-sm">{CELL_LABELS.ahead}</span>
        ) : (
          <ResultBadge result={row.result} />
        )}
      </td>
      <td className={cx(cell, phoneCell, 'max-md:order-4 max-md:text-right')}>
        {shown === undefined ? (
          <span className="max-md:hidden">—</span>
        ) : (
          <Initials name={shown.operativeName} />
        )}
      </td>
      <td
        className={cx(cell, phoneCell, 'text-ink-2 max-md:order-5 max-md:col-span-2 md:min-w-36 lg:min-w-56')}
      >
        <Said row={row} />
        {row.entries.length > 1 && (
          <Button
            size="sm"
            aria-expanded={isOpen}
            onClick={() => onToggle(row.start)}
            className="relative z-[1] mt-1 md:hidden print:hidden"
          >
            {isOpen ? 'Hide records' : `All ${row.entries.length} records`}
          </Button>
        )}
        {missed && row.reason === null && onExplain !== undefined && (
          <Button
            size="sm"
            className="relative z-[1] -my-1 print:hidden max-md:mt-1"
            onClick={() => onExplain(row)}
          >
            {logMessages.giveReason}
          </Button>
        )}
      </td>
      <td className={cx(cell, phoneCell, 'whitespace-nowrap text-ink-2 tabular-nums', recordCell)}>
        {shown !== undefined && (
          <span className="flex items-center gap-1.5">
            <ShieldCheck size={14} aria-hidden />
            {logNumberText(shown.logNumber)}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Notes of the deciding entry, the issue it raised, or the reason for a missed week. */
function Said({ row }: { row: WeekRow }) {
  const { deciding: shown, reason } = row;
  if (shown === undefined) {
    if (reason === null) return null;
    return (
      <span className="break-words">
        {reason.reason}{' '}
        <span className="text-ink-2">({signedName(reason.explainedByName, reason.explainedByNow)})</span>
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      {shown.notes !== null && <span className="break-words">{shown.notes}</span>}
      {shown.issueReference !== null && (
        <span className="inline-flex items-center gap-1 text-bad">
          <CircleAlert size={13} aria-hidden className="translate-y-0.5" />
          {logMessages.raised(shown.issueReference)}
        </span>
      )}
      {shown.imported != null && shown.imported.state !== 'confirmed' && (
        <span className="text-due text-sm">{formatImported(shown.imported)}</span>
      )}
      {shown.letInByName != null && (
        <span className="text-info text-sm">
          {heldMessages.letIn(signedName(shown.letInByName, shown.letInByNow))}
        </span>
      )}
      {row.entries.some(({ late }) => late) && <span className="text-due text-sm">{logMessages.late}</span>}
    </span>
  );
}
