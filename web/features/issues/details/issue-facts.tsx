import type { ReactNode } from 'react';
import { formatDateTime } from '#shared/dates.ts';
import type { Issue } from '#shared/features/issues/issues.ts';
import { useNow } from '../../../lib/time/use-now.ts';
import { RelativeTime } from '../../../ui/feedback/relative-time.tsx';
import { PriorityMark } from '../priority-mark.tsx';
import { resolveClock, respondClock } from '../sla.ts';
import { SlaText } from '../sla-badge.tsx';
import { StatusBadge } from '../status-mark.tsx';
import { reporterOf } from './reporter-of.ts';

/** Facts about an issue besides its text: status, people, response clocks and dates. */
export function IssueFacts({ issue }: { issue: Issue }) {
  const now = useNow();
  const respond = respondClock(issue, now);
  const resolve = resolveClock(issue, now);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-1">
      <Fact name="Status">
        <StatusBadge status={issue.status} />
      </Fact>
      <Fact name="Priority">
        <PriorityMark priority={issue.priority} />
      </Fact>
      <Fact name="Building">{issue.buildingName}</Fact>
      <Fact name="Reported by">{reporterOf(issue, 'Not known')}</Fact>
      <Fact name="Assigned to">{issue.assignedToName ?? 'No one'}</Fact>
      {respond !== null && (
        <Fact name="Respond">
          <SlaText sla={respond} />
          {issue.respondedAt === null && issue.respondDueAt !== null && <Due at={issue.respondDueAt} />}
        </Fact>
      )}
      {resolve !== null && (
        <Fact name="Resolve">
          <SlaText sla={resolve} />
          {issue.resolvedAt === null && issue.resolveDueAt !== null && <Due at={issue.resolveDueAt} />}
        </Fact>
      )}
      {issue.acknowledgedAt != null && (
        <Fact name="Acknowledged">
          {issue.acknowledgedByName}
          <span className="block">
            <Moment at={issue.acknowledgedAt} />
          </span>
        </Fact>
      )}
      <Fact name="Created">
        <Moment at={issue.createdAt} />
      </Fact>
      <Fact name="Updated">
        <Moment at={issue.updatedAt} />
      </Fact>
      {issue.resolvedAt !== null && (
        <Fact name="Resolved">
          <Moment at={issue.resolvedAt} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-3 text-xs">{name}</dt>
      <dd className="mt-0.5 text-ink [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <>
      <time dateTime={at}>{formatDateTime(at)}</time>
      <span className="block text-ink-3 text-xs">
        <RelativeTime at={at} />
      </span>
    </>
  );
}

function Due({ at }: { at: string }) {
  return (
    <span className="block text-ink-3 text-xs">
      by <time dateTime={at}>{formatDateTime(at)}</time>
    </span>
  );
}
