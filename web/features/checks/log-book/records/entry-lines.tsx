import { CircleAlert, Clock, FileInput, LogIn, Pencil, TimerReset } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { heldMessages } from '#shared/features/checks/held-messages.ts';
import { formatImported } from '#shared/features/checks/imported.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import { signedName } from '#shared/text/names.ts';
import { cx } from '../../../../ui/cx.ts';
import { EntryBadge } from './entry-badge.tsx';
import { EntryDetails } from './entry-details.tsx';
import { Initials } from './initials.tsx';
import type { LogEntry } from './log-entry.ts';
import { logNumberText } from './log-number.ts';

type Props = { entries: readonly LogEntry[]; hrefOf: (id: string) => string };

/** All entries of a period, oldest first; amended ones are struck through. */
export function EntryLines({ entries, hrefOf }: Props) {
  return (
    <ol className="grid gap-1.5">
      {entries.map((entry) => (
        <li
          key={entry.id}
          data-entry={entry.id}
          className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 rounded-control border border-line bg-surface px-3 py-2 hover:border-brand has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand sm:grid-cols-[11rem_minmax(0,1fr)_auto_auto_auto]"
        >
          <span className="text-ink-2 text-sm tabular-nums max-sm:col-span-2">
            {formatWeekdayDate(entry.day)}
            <span className="ml-1.5 text-ink-3">{formatTime(entry.performedAt)}</span>
          </span>
          <span
            className={cx(
              'min-w-0 max-sm:order-last max-sm:col-span-3',
              entry.struck && 'line-through decoration-ink-3',
            )}
          >
            <Link
              to={hrefOf(entry.id)}
              className="font-medium text-ink outline-none after:absolute after:inset-0"
            >
              {entry.subjectName}
            </Link>
            {entry.reading !== null && <b className="ml-2 font-semibold tabular-nums">{entry.reading}</b>}
            <span className="ml-2 text-ink-2">
              <EntryDetails entry={entry} />
            </span>
            <EntryMarks entry={entry} />
          </span>
          <EntryBadge entry={entry} />
          <Initials name={entry.operativeName} className="max-sm:hidden" />
          <span className="text-ink-3 text-sm tabular-nums max-sm:hidden">
            {logNumberText(entry.logNumber)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Marks of an entry: issue raised, amended, late, wrong device clock, imported, accepted by an administrator. */
export function EntryMarks({ entry, inFull = false }: { entry: LogEntry; inFull?: boolean }) {
  const marks = [
    entry.issueReference !== null && {
      key: 'issue',
      icon: CircleAlert,
      text: entry.issueReference,
      tone: 'text-bad',
    },
    entry.struck && { key: 'struck', icon: Pencil, text: logMessages.struck, tone: 'text-ink-2' },
    entry.amends !== null && {
      key: 'amends',
      icon: Pencil,
      text: logMessages.amendment,
      tone: 'text-info',
    },
    entry.late && { key: 'late', icon: Clock, text: logMessages.late, tone: 'text-due' },
    entry.clockWrong && {
      key: 'clock',
      icon: TimerReset,
      text: logMessages.clockWrong,
      tone: 'text-due',
    },
    // A confirmed import needs no mark in lists; the thread shows where it came from.
    entry.imported != null &&
      (entry.imported.state !== 'confirmed' || inFull) && {
        key: 'imported',
        icon: FileInput,
        text: formatImported(entry.imported),
        tone: entry.imported.state === 'confirmed' ? 'text-ink-2' : 'text-due',
      },
    entry.letInByName != null && {
      key: 'let-in',
      icon: LogIn,
      text: heldMessages.letIn(signedName(entry.letInByName, entry.letInByNow)),
      tone: 'text-info',
    },
  ].filter((mark) => mark !== false);
  if (marks.length === 0) return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2.5 align-baseline text-sm">
      {marks.map(({ key, icon: Icon, text, tone }) => (
        <span key={key} className={cx('inline-flex items-center gap-1', tone)}>
          <Icon size={13} aria-hidden />
          {text}
        </span>
      ))}
    </span>
  );
}
