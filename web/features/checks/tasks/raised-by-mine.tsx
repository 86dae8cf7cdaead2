import { MessageSquare } from 'lucide-react';
import { formatDay } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { ISSUE_STATUS_LABELS, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import { signedName } from '#shared/text/names.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Badge, type Tone } from '../../../ui/feedback/badge.tsx';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { raisedByMine } from '../register.live.ts';

const TONES: Readonly<Record<IssueStatus, Tone>> = {
  open: 'bad',
  in_progress: 'info',
  resolved: 'ok',
  closed: 'neutral',
};

/** Issues raised by the person's own failed checks: reference, status and last reply only. */
export function RaisedByMine() {
  const { data, status, error, refetch } = useLiveQuery(raisedByMine, undefined);
  return (
    <section aria-labelledby="raised-by-mine">
      <h2 id="raised-by-mine" className="mb-2 font-semibold text-md">
        Raised from my checks
      </h2>
      {data === undefined ? (
        status === 'error' ? (
          <Card className="flex items-center gap-3 p-4 text-ink-2">
            <p className="min-w-0 flex-1">{messageFor(error, formMessages.raisedFailed)}</p>
            <Button onClick={refetch}>Try again</Button>
          </Card>
        ) : (
          <Skeleton className="h-20 rounded-phone" />
        )
      ) : data.length === 0 ? (
        <Card className="p-4 text-ink-2">{formMessages.raisedNone}</Card>
      ) : (
        <ul className="grid gap-2.5 lg:grid-cols-2">
          {data.map((raised) => (
            <li key={raised.entryId} className="rounded-phone border border-line bg-surface p-4">
              <div className="flex items-center justify-between gap-3">
                <p className="font-semibold tabular-nums">{raised.referenceNumber}</p>
                <Badge tone={TONES[raised.status]} size="lg">
                  {ISSUE_STATUS_LABELS[raised.status]}
                </Badge>
              </div>
              <p className="mt-1.5 [overflow-wrap:anywhere]">
                {raised.subjectName}, {raised.buildingName}
              </p>
              <p className="text-ink-2 text-sm">
                {titleOf(raised.kind)} · {formatDay(raised.day)}
              </p>
              {raised.lastReply !== null && (
                <div className="mt-2.5 flex gap-2.5 rounded-panel bg-mute px-3 py-2.5">
                  <MessageSquare size={16} className="mt-0.5 text-ink-2" aria-hidden />
                  <div className="min-w-0">
                    <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{raised.lastReply.body}</p>
                    <p className="text-ink-2 text-sm">
                      {signedName(raised.lastReply.byName, raised.lastReply.byNow)},{' '}
                      <RelativeTime at={raised.lastReply.at} />
                    </p>
                  </div>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
