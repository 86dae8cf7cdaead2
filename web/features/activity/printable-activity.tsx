import type { ReactNode } from 'react';
import { formatDateTime, formatDay } from '#shared/dates.ts';
import type { ActivityEntry, ActivityPage } from '#shared/features/activity/activity.ts';
import {
  actionLabel,
  describeChanges,
  ENTITY_LABELS,
  whoLabel,
} from '#shared/features/activity/activity.vocabulary.ts';
import { activityMessages } from '#shared/features/activity/activity-messages.ts';
import { capitalise } from '#shared/text/capitalise.ts';
import { Printable } from '../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../ui/lists/printed-list.tsx';
import type { MoreRows } from '../../ui/lists/use-load-more.ts';
import type { ActivityState } from './activity-url.ts';

type Names = ActivityPage['names'];
type Props = {
  list: MoreRows & { rows: readonly ActivityEntry[] };
  names: Names;
  state: ActivityState;
  children: ReactNode;
};

/** The activity list, printed as a table of the entries that match the filters. */
export function PrintableActivity({ list, names, state, children }: Props) {
  const { person, building, kind, from, to } = state;
  return (
    <Printable
      {...list}
      caption="Activity"
      columns={columnsWith(names)}
      counted={activityMessages.count}
      filters={[
        person !== null && names[person],
        building === null ? 'All buildings' : names[building],
        kind !== null && kindName(kind),
        from !== null && `From ${formatDay(from)}`,
        to !== null && `To ${formatDay(to)}`,
      ]}
    >
      {children}
    </Printable>
  );
}

function columnsWith(names: Names): readonly PrintedColumn<ActivityEntry>[] {
  return [
    { isWhole: true, name: 'Time', of: ({ at }) => formatDateTime(at) },
    { name: 'Person', of: (entry) => whoLabel(entry, names) },
    {
      isLong: true,
      name: 'Change',
      of: (entry) => [actionLabel(entry), entry.subject].filter(Boolean).join(' '),
    },
    {
      name: 'Building',
      of: ({ buildingId }) => (buildingId === null ? '' : (names[buildingId] ?? '')),
    },
    {
      isLong: true,
      name: 'Details',
      of: (entry) =>
        entry.erased
          ? activityMessages.erased
          : describeChanges(entry, names)
              .map(({ label, from, to }) => `${label}: ${from ?? '—'} → ${to ?? '—'}`)
              .join('; '),
    },
  ];
}

function kindName(kind: string): string | undefined {
  const words = Object.entries(ENTITY_LABELS).find(([value]) => value === kind)?.[1];
  return words && capitalise(words.many);
}
