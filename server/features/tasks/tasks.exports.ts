import { dayOf, formatDateTime } from '#shared/dates.ts';
import { matchesTaskFilter } from '#shared/features/task-filter.ts';
import { taskFilterSchema } from '#shared/features/tasks.ts';
import { formatRecurrence, NOT_DUE_LABEL, TASK_STATUS_LABELS } from '#shared/features/tasks.vocabulary.ts';
import { recurrenceFrom } from '#shared/task-frequency.ts';
import { isOverdue, statusOn } from '#shared/task-schedule.ts';
import { exportedList } from '../../kernel/exported-list.ts';
import { readTasksAfter } from './tasks.queries.ts';

const PAGE = 1_000;

export const exportedLists = {
  tasks: exportedList({
    permission: 'view_tasks',
    columns: [
      'Task ID',
      'Building',
      'System',
      'Description',
      'Status',
      'Overdue',
      'Due date',
      'Covered until',
      'Last completed',
      'Completed by',
      'Responsible',
      'Frequency',
      'Non-compliant because',
      'Created',
    ],
    filter: taskFilterSchema,
    async *pages({ services: { db, clock }, actor, timeZone }, filter) {
      const today = dayOf(clock.now(), timeZone);
      let after: string | undefined;
      do {
        const page = await readTasksAfter(db, actor, { buildingId: filter.buildingId, after, limit: PAGE });
        yield page
          .filter((task) => matchesTaskFilter(filter, task, today))
          .map((task) => [
            task.taskNumber,
            task.buildingName,
            task.complianceSystem,
            task.taskDescription,
            task.isDue ? TASK_STATUS_LABELS[statusOn(task, today)] : NOT_DUE_LABEL,
            task.isDue && isOverdue(task, today) ? 'Yes' : 'No',
            task.isDue ? task.due : null,
            task.isDue ? task.coveredUntil : null,
            task.completedOn,
            task.completedByName,
            task.responsiblePerson,
            formatRecurrence(recurrenceFrom(task)),
            task.markReason,
            formatDateTime(task.createdAt, timeZone),
          ]);
        after = page.length < PAGE ? undefined : page.at(-1)?.taskNumber;
      } while (after !== undefined);
    },
  }),
};
