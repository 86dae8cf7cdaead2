import { dayOf } from '#shared/dates.ts';
import { TASK_CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import { matchesTaskFilter } from '#shared/features/tasks/task-filter.ts';
import { recurrenceFrom } from '#shared/features/tasks/task-frequency.ts';
import { isOverdue, statusOn } from '#shared/features/tasks/task-schedule.ts';
import { taskFilterSchema } from '#shared/features/tasks/tasks.ts';
import {
  formatRecurrenceFully,
  NOT_DUE_LABEL,
  TASK_STATUS_LABELS,
} from '#shared/features/tasks/tasks.vocabulary.ts';
import { EXPORT_ROWS, exportedList } from '../../kernel/lists/exported-list.ts';
import { placeCells } from '../locations/place-cells.queries.ts';
import { readTasksAfter } from './tasks.queries.ts';

export const exportedLists = {
  tasks: exportedList({
    permission: 'view_tasks',
    // The columns that the import reads, and some that it ignores.
    columns: [
      'Task ID',
      'Client',
      'Building Name',
      'System',
      'Description',
      'Frequency',
      'Responsible',
      'Last Done',
      'Certificate Until',
      'Status',
      'Overdue',
      'Due Date',
      'Covered Until',
      'Completed By',
      'Satisfied By',
      'Non-compliant Because',
      'Created',
    ],
    filter: taskFilterSchema,
    async *pages({ services: { db, clock }, actor, timeZone }, filter) {
      const today = dayOf(clock.now(), timeZone);
      let after: string | undefined;
      do {
        const page = await readTasksAfter(db, actor, {
          buildingId: filter.buildingId,
          after,
          limit: EXPORT_ROWS,
        });
        const placeOf = await placeCells(
          db,
          page.map(({ buildingId }) => buildingId),
        );
        yield page
          .filter((task) => matchesTaskFilter(filter, task, today))
          .map((task) => {
            const recurrence = recurrenceFrom(task);
            const { client, building } = placeOf(task.buildingId);
            return [
              task.taskNumber,
              client,
              building,
              task.complianceSystem,
              task.taskDescription,
              formatRecurrenceFully(recurrence),
              task.responsiblePerson,
              task.completedOn,
              recurrence.basis === 'stated' ? task.coveredUntil : null,
              task.isDue ? TASK_STATUS_LABELS[statusOn(task, today)] : NOT_DUE_LABEL,
              task.isDue && isOverdue(task, today) ? 'Yes' : 'No',
              task.isDue ? task.due : null,
              task.isDue ? task.coveredUntil : null,
              task.completedByName,
              task.check === null ? null : TASK_CHECK_VOCABULARY[task.check].label,
              task.markReason,
              dayOf(task.createdAt, timeZone),
            ];
          });
        after = page.length < EXPORT_ROWS ? undefined : page.at(-1)?.taskNumber;
      } while (after !== undefined);
    },
  }),
};
