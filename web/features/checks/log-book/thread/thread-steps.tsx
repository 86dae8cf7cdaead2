import {
  CircleAlert,
  CircleCheck,
  CircleDot,
  ClipboardCheck,
  ClipboardX,
  MessageSquare,
  Pencil,
  RotateCcw,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { toMs } from '#shared/dates.ts';
import { isIncident } from '#shared/features/checks/incidents.vocabulary.ts';
import type { LogResult } from '#shared/features/checks/log.vocabulary.ts';
import { logMessages } from '#shared/features/checks/log-messages.ts';
import type { CheckThread, ThreadIssue } from '#shared/features/checks/procedure-answers.ts';
import { visitCorrection } from '#shared/features/checks/readings.vocabulary.ts';
import { ISSUE_PRIORITY_LABELS, ISSUE_STATUS_LABELS } from '#shared/features/issues/issues.vocabulary.ts';
import { signedName } from '#shared/text/names.ts';
import { formatDuration } from '../format-duration.ts';
import { EntryBadge } from '../records/entry-badge.tsx';
import { type LogEntry, toLogEntry } from '../records/log-entry.ts';
import { logNumberText } from '../records/log-number.ts';
import { ThreadPhotos } from './thread-photos.tsx';
import type { Step } from './thread-timeline.tsx';

const TONES = { pass: 'ok', fail: 'bad', not_tested: 'due' } as const satisfies Record<
  LogResult,
  Step['tone']
>;

type HrefOf = (entryId: string) => string;

/** Returns the steps of a thread in the order in which they happened. */
export function stepsOf(thread: CheckThread, hrefOf: HrefOf): Step[] {
  const story = thread.story.map(({ visit, entry }) => toLogEntry(visit, entry));
  const steps = [
    ...story.map((entry) =>
      recorded(entry, {
        hrefOf: entry.id === thread.entryId ? undefined : hrefOf,
        repeats: story.find(({ id }) => id === entry.retestOf),
      }),
    ),
    ...(thread.issue === null ? [] : issueSteps(thread.issue, thread.visit.buildingId, story)),
  ];
  steps.sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''));
  const failed = story.some(({ result, struck }) => result === 'fail' && !struck);
  if (failed && !thread.retestPassed) {
    steps.push({
      key: 'no-retest',
      icon: RotateCcw,
      tone: 'due',
      title: logMessages.noRetest,
      at: null,
    });
  }
  return steps;
}

/**
 * Returns the step of one entry. The entry that is open has no link to itself.
 * @param repeats the failed entry that this one retests
 */
function recorded(
  entry: LogEntry,
  { hrefOf, repeats }: { hrefOf: HrefOf | undefined; repeats: LogEntry | undefined },
): Step {
  const wasFirst = repeats !== undefined && repeats.receivedAt > entry.receivedAt;
  const failed = entry.result === 'fail';
  const correction = entry.amends !== null;
  const ofVisit = visitCorrection(entry);
  const said: ReactNode = (
    <span className={entry.struck ? 'line-through decoration-ink-3' : undefined}>
      {correction ? 'Corrected' : entry.retestOf !== null ? 'Retested' : 'Recorded'}
      {entry.reading !== null && ` ${entry.reading}`}
    </span>
  );
  return {
    key: entry.id,
    icon: correction ? Pencil : entry.retestOf !== null ? RotateCcw : failed ? ClipboardX : ClipboardCheck,
    tone: entry.struck || isIncident(entry.kind) ? 'plain' : TONES[entry.result],
    title: (
      <>
        {hrefOf === undefined ? (
          said
        ) : (
          <Link to={hrefOf(entry.id)} className="text-brand hover:underline">
            {said} {logNumberText(entry.logNumber)}
          </Link>
        )}{' '}
        <EntryBadge entry={entry} />
      </>
    ),
    at: correction ? entry.amendedAt : entry.performedAt,
    who: correction ? signedName(entry.amendedByName ?? '', entry.amendedByNow) : entry.operativeName,
    children: (
      <>
        {entry.amendReason !== null && <p className="text-ink">{entry.amendReason}</p>}
        {ofVisit !== null && (
          <p>
            {ofVisit.label}: <del className="decoration-ink-3">{ofVisit.before}</del>{' '}
            <ins className="text-ink no-underline">{ofVisit.after}</ins>
          </p>
        )}
        {entry.notes !== null && (
          <p className={entry.struck ? 'line-through decoration-ink-3' : undefined}>{entry.notes}</p>
        )}
        {wasFirst && <p>{logMessages.retestFirst}</p>}
        <ThreadPhotos on="check" onId={entry.id} />
      </>
    ),
  };
}

function issueSteps(issue: ThreadIssue, buildingId: string, story: readonly LogEntry[]): Step[] {
  const { details, status, lastReply, referenceNumber } = issue;
  const raised = logMessages.raised(referenceNumber);
  const cause = story.find(({ issueId }) => issueId === issue.id);
  if (details === undefined) {
    const steps: Step[] = [
      {
        key: issue.id,
        icon: CircleAlert,
        tone: 'bad',
        title: status === undefined ? raised : `${raised} · ${ISSUE_STATUS_LABELS[status]}`,
        at: cause?.receivedAt ?? null,
      },
    ];
    if (lastReply != null) {
      steps.push({
        key: 'reply',
        icon: MessageSquare,
        tone: 'plain',
        title: signedName(lastReply.byName, lastReply.byNow),
        at: lastReply.at,
        children: <span className="whitespace-pre-wrap text-ink">{lastReply.body}</span>,
      });
    }
    return steps;
  }
  const steps: Step[] = [
    {
      key: issue.id,
      icon: CircleAlert,
      tone: 'bad',
      title: (
        <Link
          to={`/building-issues?building=${buildingId}&issue=${issue.id}`}
          className="text-brand hover:underline"
        >
          {raised}
        </Link>
      ),
      at: details.createdAt,
      // Only people who may see issues receive the details, and they may see the photos too.
      children: (
        <>
          {[
            details.title,
            `${ISSUE_PRIORITY_LABELS[details.priority]} priority`,
            ...(status === undefined ? [] : [ISSUE_STATUS_LABELS[status]]),
            ...(details.assignedToName === null ? [] : [`with ${details.assignedToName}`]),
          ].join(' · ')}
          <ThreadPhotos on="issue" onId={issue.id} />
        </>
      ),
    },
    ...details.comments.map(
      (comment): Step => ({
        key: comment.id,
        icon: MessageSquare,
        tone: 'plain',
        title: signedName(comment.authorName, comment.authorNow),
        at: comment.createdAt,
        children: <span className="whitespace-pre-wrap text-ink">{comment.body}</span>,
      }),
    ),
  ];
  // An issue closed without work being started has the same response and resolution time; the resolved step is enough.
  if (details.respondedAt !== null && details.respondedAt !== details.resolvedAt) {
    steps.push({
      key: 'responded',
      icon: CircleDot,
      tone: 'info',
      title: 'Work started',
      at: details.respondedAt,
    });
  }
  if (details.resolvedAt !== null) {
    const took = formatDuration(toMs(details.resolvedAt) - toMs(details.createdAt));
    steps.push({
      key: 'resolved',
      icon: CircleCheck,
      tone: 'ok',
      title: logMessages.resolvedIn(took),
      at: details.resolvedAt,
    });
  }
  return steps;
}
