import { formatDateTime } from '#shared/dates.ts';
import { type ActivityCursor, activityFilterSchema } from '#shared/features/activity/activity.ts';
import { actionLabel, describeChanges, whoLabel } from '#shared/features/activity/activity.vocabulary.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { EXPORT_ROWS, exportedList } from '../../kernel/lists/exported-list.ts';
import { listActivity } from './activity.queries.ts';

export const exportedLists = {
  activity: exportedList({
    permission: 'manage_users',
    columns: ['When', 'Who', 'What', 'On', 'Building', 'Changes'],
    filter: activityFilterSchema,
    async *pages({ services: { db }, timeZone }, filter) {
      let cursor: ActivityCursor | undefined;
      do {
        const page = await listActivity(db, { filter, cursor, limit: EXPORT_ROWS });
        yield await mapYielding(page.entries, (entry) => [
          formatDateTime(entry.at, timeZone),
          whoLabel(entry, page.names),
          actionLabel(entry),
          entry.subject,
          entry.buildingId === null ? null : (page.names[entry.buildingId] ?? null),
          entry.erased
            ? 'erased'
            : describeChanges(entry, page.names, timeZone)
                .map(({ label, from, to }) => `${label}: ${from ?? '—'} → ${to ?? '—'}`)
                .join('\n'),
        ]);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  }),
};
