import { BookOpen } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { formatWeekdayDate } from '#shared/dates.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { messageFor } from '../../../../lib/trpc/message-for.ts';
import { useHighlight } from '../../../../live/hooks/use-highlight.ts';
import { useLiveList } from '../../../../live/hooks/use-live-list.ts';
import { Button } from '../../../../ui/buttons/button.tsx';
import { cx } from '../../../../ui/cx.ts';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx';
import { Printable } from '../../../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../../../ui/lists/printed-list.tsx';
import { logRecords } from '../checks-log.live.ts';
import { logFilterNames, logFilterOf } from '../log-filter.ts';
import { logLoadFailed } from '../log-load-failed.ts';
import { hasLogFilters, type LogState, NO_LOG_FILTERS } from '../log-url.ts';
import { EntryBadge } from './entry-badge.tsx';
import { EntryCells } from './entry-cells.tsx';
import { EntryDetails } from './entry-details.tsx';
import { EntryMarks } from './entry-lines.tsx';
import { entriesOf, type LogEntry } from './log-entry.ts';
import { logNumberText } from './log-number.ts';
import { weekCell as cell, phoneCell, recordCell } from './week-cells.ts';

type Props = {
  kind: CheckKind;
  state: LogState;
  hrefOf: (patch: Partial<LogState>) => string;
  change: (patch: Partial<LogState>) => void;
};

/** Table of records, newest first, loaded page by page. */
export function RecordsList({ kind, state, hrefOf, change }: Props) {
  const filter = useMemo(() => logFilterOf(kind, state), [kind, state]);
  const list = useLiveList(logRecords, filter);
  const { rows, status, error, refetch, hasMore, loadMore, isLoadingMore } = list;
  const lines = useMemo(
    () =>
      linesOf(
        rows.flatMap((visit) => entriesOf(visit).reverse()),
        state,
      ),
    [rows, state],
  );

  if (status === 'error') {
    return <ErrorState title={messageFor(error, logLoadFailed(kind))} error={error} onRetry={refetch} />;
  }
  if (status === 'loading') return <Skeleton className="mt-3.5 h-48" />;
  if (lines.length === 0 && !hasMore) {
    const narrowed = hasLogFilters(state);
    return (
      <div className="mt-3.5">
        <EmptyState
          icon={<BookOpen size={20} />}
          title={narrowed ? logMessages.noneMatch : logMessages.noRecords}
          action={
            narrowed ? <Button onClick={() => change(NO_LOG_FILTERS)}>Clear Filters</Button> : undefined
          }
        />
      </div>
    );
  }
  return (
    <Printable
      {...list}
      caption="Records, newest first"
      rows={lines}
      columns={columnsOf(kind)}
      counted={logMessages.records}
      filters={logFilterNames(state, lines[0]?.buildingName)}
    >
      <div className="mt-3.5 overflow-x-auto rounded-card border border-line bg-surface print:border-0">
        <table className="w-full text-left max-md:block">
          <caption className="sr-only">Records, newest first</caption>
          <thead className="max-md:sr-only">
            <tr className="border-line border-b text-ink-3 text-xs">
              {[
                'Date',
                'Site',
                CHECK_VOCABULARY[kind].subject.one,
                'Result',
                'Operative',
                'Notes',
                'Record',
              ].map((name) => (
                <th
                  key={name}
                  scope="col"
                  className={cx(cell, 'font-medium', name === 'Record' && recordCell)}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {lines.map((entry) => (
              <Line key={entry.id} entry={entry} href={hrefOf({ entry: entry.id })} />
            ))}
          </tbody>
        </table>
        {hasMore && (
          <div className="border-line border-t px-4 py-3 text-center print:hidden">
            <Button disabled={isLoadingMore} onClick={loadMore}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </Printable>
  );
}

function columnsOf(kind: CheckKind): readonly PrintedColumn<LogEntry>[] {
  return [
    { isWhole: true, name: 'Date', of: ({ day }) => formatWeekdayDate(day) },
    { name: 'Site', of: ({ buildingName }) => buildingName },
    {
      name: CHECK_VOCABULARY[kind].subject.one,
      of: ({ subjectName, reading, struck }) => (
        <span className={cx(struck && 'line-through')}>
          {[subjectName, reading].filter((part) => part !== null).join(' ')}
        </span>
      ),
      isLong: true,
    },
    { name: 'Result', of: (entry) => <EntryBadge entry={entry} /> },
    { name: 'Operative', of: ({ operativeName }) => operativeName },
    {
      name: 'Notes',
      of: (entry) => (
        <>
          <EntryDetails entry={entry} />
          <EntryMarks entry={entry} />
        </>
      ),
      isLong: true,
    },
    { isWhole: true, name: 'Record', of: ({ logNumber }) => logNumberText(logNumber) },
  ];
}

/** The server returns whole visits; only entries with the wanted result are shown. */
function linesOf(entries: readonly LogEntry[], { result }: LogState): LogEntry[] {
  return entries.filter((entry) => result === null || entry.result === result);
}

function Line({ entry, href }: { entry: LogEntry; href: string }) {
  const glow = useHighlight('checkVisit', entry.visitId);
  return (
    <tr
      data-entry={entry.id}
      className={cx(
        'relative border-line border-b last:border-b-0 hover:bg-mute/60 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-3',
        'has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand has-[a:focus-visible]:-outline-offset-2',
        glow !== undefined && 'bg-brand-soft',
      )}
    >
      <td className={cx(cell, phoneCell, 'whitespace-nowrap text-ink tabular-nums')}>
        {formatWeekdayDate(entry.day)}
      </td>
      <td
        className={cx(
          cell,
          phoneCell,
          'text-ink-2 max-md:order-3 md:min-w-24 lg:min-w-32 xl:min-w-48 break-words',
        )}
      >
        {entry.buildingName}
      </td>
      <td
        className={cx(
          cell,
          phoneCell,
          'max-md:order-4 max-md:col-span-2 md:min-w-[8.5rem] lg:min-w-36 xl:min-w-52',
          entry.struck && 'line-through decoration-ink-3',
        )}
      >
        <Link to={href} className="text-ink outline-none after:absolute after:inset-0 break-words">
          {entry.subjectName}
        </Link>
        {entry.reading !== null && (
          <b className="ml-2 font-semibold whitespace-nowrap tabular-nums">{entry.reading}</b>
        )}
      </td>
      <EntryCells entry={entry} initials="max-md:order-3" notes="md:min-w-[6.5rem] lg:min-w-36" />
    </tr>
  );
}
