import { ArrowRight } from 'lucide-react';
import { formatDateTime } from '#shared/dates.ts';
import type { ActivityEntry } from '#shared/features/activity/activity.ts';
import {
  actionLabel,
  type ChangeLabel,
  describeChanges,
  whoLabel,
} from '#shared/features/activity/activity.vocabulary.ts';
import { activityMessages } from '#shared/features/activity/activity-messages.ts';

type Props = { entry: ActivityEntry; names: Readonly<Record<string, string>> };

/** One entry: time, actor, action, subject and the changed fields with old and new value. */
export function ActivityRow({ entry, names }: Props) {
  const { at, buildingId, subject, entity, erased } = entry;
  const building = buildingId === null ? undefined : names[buildingId];
  const changes = describeChanges(entry, names);
  return (
    <article className="grid gap-x-4 gap-y-1 border-line border-b px-3.5 py-2.5 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <time dateTime={at} className="pt-px text-ink-3 text-sm tabular-nums">
        {formatDateTime(at)}
      </time>
      <div className="min-w-0">
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          <b className="font-semibold text-ink">{whoLabel(entry, names)}</b> {actionLabel(entry)}
          {subject !== null && <b className="font-medium text-ink"> {subject}</b>}
          {building !== undefined && entity !== 'building' && (
            <span className="text-ink-3"> · {building}</span>
          )}
          {building !== undefined && entity === 'building' && subject === null && (
            <b className="font-medium text-ink"> {building}</b>
          )}
        </p>
        {erased && <p className="text-ink-3 text-sm italic">{activityMessages.erased}</p>}
        {changes.length > 0 && (
          <ul className="mt-1 grid gap-0.5 text-sm">
            {changes.map((change) => (
              <Change key={change.field} change={change} />
            ))}
          </ul>
        )}
      </div>
    </article>
  );
}

function Change({ change: { label, from, to } }: { change: ChangeLabel }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-1.5 text-ink-2">
      <span className="text-ink-3">{label}</span>
      <span className="line-clamp-3 min-w-0 [overflow-wrap:anywhere]">{from ?? '—'}</span>
      <ArrowRight size={12} aria-label="became" className="shrink-0 self-center text-ink-3" />
      <span className="line-clamp-3 min-w-0 text-ink [overflow-wrap:anywhere]">{to ?? '—'}</span>
    </li>
  );
}
