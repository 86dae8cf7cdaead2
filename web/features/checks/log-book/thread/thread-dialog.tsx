import { signedName } from '#shared/text/names.ts';
import '../log.css';
import { Pencil, Printer } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { formatWeekdayDate, formatWeekdayTime, toMs } from '#shared/dates.ts';
import { isIncident } from '#shared/features/checks/incidents.vocabulary.ts';
import { formatLimits } from '#shared/features/checks/limits.vocabulary.ts';
import { LOG_RESULT_LABELS } from '#shared/features/checks/log.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { CheckThread } from '#shared/features/checks/procedure-answers.ts';
import { usePermissions } from '../../../../lib/can.tsx';
import { messageFor } from '../../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../../live/hooks/use-live-query.ts';
import { isRefusedRead } from '../../../../live/stream/wire-error.ts';
import { Button } from '../../../../ui/buttons/button.tsx';
import { cx } from '../../../../ui/cx.ts';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx';
import { Fact } from '../../fact.tsx';
import { ResultBadge } from '../../result-badge.tsx';
import { checkThread } from '../checks-log.live.ts';
import { formatDuration } from '../format-duration.ts';
import { EntryMarks } from '../records/entry-lines.tsx';
import { type LogEntry, toLogEntry } from '../records/log-entry.ts';
import { logNumberText } from '../records/log-number.ts';
import { stepsOf } from './thread-steps.tsx';
import { Timeline } from './thread-timeline.tsx';

const AmendDialog = lazy(() => import('./amend-dialog.tsx'));

type Props = { entryId: string; hrefOf: (entryId: string) => string; onClose: () => void };

/** Dialog with a record and everything that followed: the issue, its comments, the fix and the retest. */
export default function ThreadDialog({ entryId, hrefOf, onClose }: Props) {
  const { data: thread, status, error, refetch } = useLiveQuery(checkThread, { entryId });
  const { can } = usePermissions();
  const [amending, setAmending] = useState(false);
  const gone = thread === null || (status === 'error' && isRefusedRead(error));
  const entry = useMemo(() => entryOf(thread), [thread]);
  if (amending && entry !== undefined) {
    return (
      <Suspense fallback={null}>
        <AmendDialog entry={entry} onClose={() => setAmending(false)} onAmended={() => setAmending(false)} />
      </Suspense>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={entry === undefined ? 'Record' : entry.subjectName}
      subtitle={
        entry !== undefined && (
          <span className="flex flex-wrap items-center gap-x-2" data-print="">
            {entry.buildingName}
            <span aria-hidden>·</span>
            <span className="tabular-nums">{formatWeekdayDate(entry.day)}</span>
            <span aria-hidden>·</span>
            <span className="tabular-nums">{logNumberText(entry.logNumber)}</span>
          </span>
        )
      }
    >
      {gone ? (
        <p className="py-6 text-center text-ink-2">{logMessages.gone}</p>
      ) : status === 'error' ? (
        <ErrorState title={messageFor(error, logMessages.threadFailed)} error={error} onRetry={refetch} />
      ) : thread == null || entry === undefined ? (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Loading record…</span>
          <Skeleton className="h-16" />
          <Skeleton className="h-40" />
        </div>
      ) : (
        <div className="grid gap-x-7 gap-y-6 md:grid-cols-[17rem_minmax(0,1fr)]">
          <div className="min-w-0">
            <Reading entry={entry} />
            <Facts entry={entry} />
            <div className="mt-4 flex flex-wrap gap-2 print:hidden">
              {can('create_logbook_entries') && !entry.struck && (
                <Button onClick={() => setAmending(true)}>
                  <Pencil size={16} aria-hidden />
                  Amend
                </Button>
              )}
              <Button onClick={() => window.print()}>
                <Printer size={16} aria-hidden />
                Print
              </Button>
            </div>
          </div>
          <div className="min-w-0 md:border-line md:border-l md:pl-6">
            <Timeline label="What followed" steps={stepsOf(thread, hrefOf)} />
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Returns the entry that the thread is about. */
function entryOf(thread: CheckThread | null | undefined): LogEntry | undefined {
  const found = thread?.visit.entries.find(({ id }) => id === thread.entryId);
  return thread == null || found === undefined ? undefined : toLogEntry(thread.visit, found);
}

function Reading({ entry }: { entry: LogEntry }) {
  const said = entry.reading ?? entry.outcome;
  return (
    <div className="mb-4 rounded-card bg-mute/60 px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span
          className={cx(
            'font-semibold text-2xl tabular-nums tracking-[-0.02em]',
            entry.struck && 'line-through decoration-2',
            said === null && entry.result === 'fail' && 'text-bad',
            said === null && entry.result === 'pass' && 'text-ok',
          )}
        >
          {said ?? LOG_RESULT_LABELS[entry.result]}
        </span>
        {said !== null && !isIncident(entry.kind) && <ResultBadge result={entry.result} />}
      </div>
      {(entry.min !== null || entry.max !== null) && (
        <p className="mt-1 text-ink-2 text-sm tabular-nums">Limit: {formatLimits(entry)}</p>
      )}
      {entry.said.length > 0 && (
        <dl className="mt-2.5 grid gap-2.5">
          {entry.said.map(({ label, text }) => (
            <Fact key={label} name={label}>
              {text}
            </Fact>
          ))}
        </dl>
      )}
      {entry.notes !== null && <p className="mt-2 text-ink [overflow-wrap:anywhere]">{entry.notes}</p>}
      <p className="mt-1.5 empty:hidden">
        <EntryMarks entry={entry} inFull />
      </p>
    </div>
  );
}

function Facts({ entry }: { entry: LogEntry }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-1">
      <Fact name={isIncident(entry.kind) ? 'Reported by' : 'Tested by'}>{entry.operativeName}</Fact>
      {(entry.recordedByName !== entry.operativeName || entry.recordedByNow != null) && (
        <Fact name="Recorded by">{signedName(entry.recordedByName, entry.recordedByNow)}</Fact>
      )}
      <Fact name={isIncident(entry.kind) ? 'Written down' : 'Performed'}>
        <time dateTime={entry.performedAt}>{formatWeekdayTime(entry.performedAt)}</time>
      </Fact>
      <Fact name="Received">
        <time dateTime={entry.receivedAt}>{formatWeekdayTime(entry.receivedAt)}</time>
        {entry.late && (
          <span className="block text-due text-sm">
            {logMessages.late}, {formatDuration(toMs(entry.receivedAt) - toMs(entry.performedAt))} after
          </span>
        )}
      </Fact>
      {entry.visitSaid.map(({ label, text }) => (
        <Fact key={label} name={label}>
          {text}
        </Fact>
      ))}
      {entry.clockWrong && (
        <Fact name="Device clock">
          <span className="text-due">
            {formatDuration(Math.abs(entry.clockOffsetMs))} {entry.clockOffsetMs > 0 ? 'ahead' : 'behind'}
          </span>
        </Fact>
      )}
    </dl>
  );
}
