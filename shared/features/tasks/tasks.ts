import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { typedLine, typedText } from '../../text/text.ts';
import type { AssetType } from '../assets/assets.vocabulary.ts';
import { TASK_CHECKS } from '../checks/kinds.vocabulary.ts';
import { formatFrequency, parseFrequency } from './task-frequency.ts';
import type { TaskSummary } from './task-schedule.ts';
import { TASK_STATUSES } from './task-schedule.ts';
import {
  TASK_DATE_RANGES,
  TASK_DESCRIPTION_MAX,
  TASK_FREQUENCIES,
  TASK_LINE_KINDS,
  TASK_NOTES_MAX,
  TASK_REASON_MAX,
  TASK_RESPONSIBLE_MAX,
  TASK_SEARCH_MAX,
  TASK_SELECTION_MAX,
  TASK_SYSTEM_MAX,
} from './tasks.vocabulary.ts';
import { taskMessages } from './tasks-messages.ts';

const systemSchema = typedLine()
  .min(1, taskMessages.systemRequired)
  .max(TASK_SYSTEM_MAX, messages.common.tooLong(TASK_SYSTEM_MAX));
const descriptionSchema = typedText()
  .min(1, taskMessages.descriptionRequired)
  .max(TASK_DESCRIPTION_MAX, messages.common.tooLong(TASK_DESCRIPTION_MAX));
const responsibleSchema = typedLine().max(
  TASK_RESPONSIBLE_MAX,
  messages.common.tooLong(TASK_RESPONSIBLE_MAX),
);
const reasonSchema = typedText()
  .min(1, taskMessages.reasonRequired)
  .max(TASK_REASON_MAX, messages.common.tooLong(TASK_REASON_MAX));
const missedReasonSchema = typedText().max(TASK_REASON_MAX, messages.common.tooLong(TASK_REASON_MAX));
const notesSchema = typedText().max(TASK_NOTES_MAX, messages.common.tooLong(TASK_NOTES_MAX));
/** A frequency as `task-frequency.ts` reads it; "P1M" becomes "monthly". */
const frequencySchema = z
  .string(taskMessages.frequencyRequired)
  .min(1, taskMessages.frequencyRequired)
  .max(40, taskMessages.frequencyUnknown)
  .transform((text, check) => {
    const rhythm = parseFrequency(text);
    if (rhythm !== undefined) return formatFrequency(rhythm);
    check.addIssue({ code: 'custom', message: taskMessages.frequencyUnknown });
    return z.NEVER;
  });
/** A calendar date. Which days are allowed depends on today; the command checks that. */
const daySchema = z.iso.date(messages.common.dateInvalid);

/** The progress of a check that satisfies a task: subjects done, of those to be done, and days done, of those due. */
export const coverageSchema = z.object({
  done: z.number().int(),
  of: z.number().int(),
  days: z.number().int(),
  daysOf: z.number().int(),
  /** The last day of the period that these numbers are about. On the next day a new period begins, with nothing done. */
  until: z.string(),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** A compliance task as answers and events carry it. Days are calendar dates in the organisation's time zone. */
export const taskSchema = z.object({
  id: z.uuid(),
  taskNumber: z.string(),
  buildingId: z.uuid(),
  buildingName: z.string(),
  complianceSystem: z.string(),
  taskDescription: z.string(),
  /** The frequency, the `early` and the grace, as `task-frequency.ts` reads them. */
  frequency: z.string(),
  early: z.string().nullable(),
  grace: z.string(),
  responsiblePerson: z.string(),
  responsibleId: z.uuid().nullable(),
  /** The safety check that satisfies the task; null if people complete it. */
  check: z.enum(TASK_CHECKS).nullable(),
  templateId: z.string().nullable(),
  /** The dates by which it is judged (`TaskDates` of `task-schedule.ts`). */
  anchor: z.string(),
  gridDay: z.string(),
  due: z.string(),
  coveredUntil: z.string().nullable(),
  completedOn: z.string().nullable(),
  markedOn: z.string().nullable(),
  /** False if nothing is due by the site's schedule of checks; the task is then not counted. */
  isDue: z.boolean(),
  /** The name of the person who completed it, as it was then. */
  completedByName: z.string().nullable(),
  markReason: z.string().nullable(),
  /** The lines of the record with the completion and the mark in force. */
  completionId: z.uuid().nullable(),
  markId: z.uuid().nullable(),
  coverage: coverageSchema.nullable(),
  /** Rises with each completion, move, mark, undo and change of frequency. Commands send the number that the person saw. */
  occurrence: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  retiredAt: z.string().nullable(),
  retireReason: z.string().nullable(),
  version: z.number().int(),
});
export type Task = z.infer<typeof taskSchema>;

/** Input of `tasks.create`. `id` is made by the client (UUIDv7) and becomes the primary key. */
export const createTaskInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  buildingId: z.uuid(taskMessages.locationRequired),
  complianceSystem: systemSchema,
  taskDescription: descriptionSchema,
  frequency: frequencySchema,
  responsiblePerson: responsibleSchema.default(''),
  responsibleId: z.uuid().nullable().default(null),
  /** The day on which the task was last done, and the date that its certificate states, if any. */
  lastDone: daySchema.nullable().default(null),
  stated: daySchema.nullable().default(null),
  /** The safety check that satisfies the task instead of people: it gives the frequency, and its log gives the dates. */
  check: z.enum(TASK_CHECKS).nullable().default(null),
});
export type CreateTaskInput = z.infer<typeof createTaskInput>;

/** Input of `tasks.update`: each changed field with the value that the person saw and the new value. */
export const updateTaskInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  changes: z
    .strictObject({
      complianceSystem: fromTo(systemSchema, z.string().max(TASK_SYSTEM_MAX)),
      taskDescription: fromTo(descriptionSchema, z.string().max(TASK_DESCRIPTION_MAX)),
      frequency: fromTo(frequencySchema, z.string().max(40)),
      responsiblePerson: fromTo(responsibleSchema, z.string().max(TASK_RESPONSIBLE_MAX)),
      responsibleId: fromTo(z.uuid().nullable(), z.uuid().nullable()),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, messages.common.nothingChanged),
});
export type UpdateTaskInput = z.infer<typeof updateTaskInput>;
/** The fields of a task that people edit. */
export type TaskEdit = Pick<
  Task,
  'complianceSystem' | 'taskDescription' | 'frequency' | 'responsiblePerson' | 'responsibleId'
>;

const occurrenceSchema = z.number().int().min(1);
/** The fields of a command about one task, with the occurrence that the person saw. */
const seenTask = { operationId: z.uuid(), id: z.uuid(), occurrence: occurrenceSchema };

/** Input of `tasks.complete`: the occurrence that the person saw was done on `day`. */
export const completeTaskInput = z.strictObject({
  ...seenTask,
  day: daySchema,
  /** For the frequency "as the certificate states": the date on it. */
  stated: daySchema.nullable().default(null),
  notes: notesSchema.default(''),
  /** The reason why earlier occurrences were missed; a completion from a device's queue may lack the reason. */
  missedReason: missedReasonSchema.default(''),
});
export type CompleteTaskInput = z.infer<typeof completeTaskInput>;
/** The part of the answer of `tasks.complete` besides the task: the completion's line in the record, for its photos. */
export type CompletionReceipt = { completionId: string };

/** Input of `tasks.correct`: the last completion was on another day. */
export const correctTaskInput = z.strictObject({ ...seenTask, day: daySchema });
export type CorrectTaskInput = z.infer<typeof correctTaskInput>;

/** Input of `tasks.schedule`: the due date that was seen, and the new one. */
export const scheduleTaskInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  due: fromTo(daySchema, daySchema),
});
export type ScheduleTaskInput = z.infer<typeof scheduleTaskInput>;

/** Input of `tasks.mark` and `tasks.retire`. */
export const reasonedTaskInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  reason: reasonSchema,
});
export type ReasonedTaskInput = z.infer<typeof reasonedTaskInput>;

/** Input of `tasks.undo`: withdraws a completion or a mark, named by its line in the record. */
export const undoTaskInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  lineId: z.uuid(),
  reason: reasonSchema,
});
export type UndoTaskInput = z.infer<typeof undoTaskInput>;

/** Input of `tasks.restore`. */
export const restoreTaskInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RestoreTaskInput = z.infer<typeof restoreTaskInput>;

const selectedSchema = z.uuid().transform((id) => id.toLowerCase());
const selectionSchema = z
  .array(selectedSchema)
  .min(1)
  .max(TASK_SELECTION_MAX)
  .transform((ids) => [...new Set(ids)]);
/** Input of `tasks.reassign`. Like `tasks.reschedule` and `tasks.retireAll`, it makes one change to all selected tasks. */
export const reassignTasksInput = z.strictObject({
  operationId: z.uuid(),
  ids: selectionSchema,
  responsiblePerson: responsibleSchema,
  responsibleId: z.uuid().nullable().default(null),
});
export type ReassignTasksInput = z.infer<typeof reassignTasksInput>;
export const rescheduleTasksInput = z.strictObject({
  operationId: z.uuid(),
  /** Each task with its occurrence when it was selected; a task that has changed since is refused (ruling T25). */
  tasks: z
    .array(z.strictObject({ id: selectedSchema, occurrence: occurrenceSchema }))
    .min(1)
    .max(TASK_SELECTION_MAX)
    .transform((tasks) => [...new Map(tasks.map((task) => [task.id, task])).values()]),
  due: daySchema,
});
export type RescheduleTasksInput = z.infer<typeof rescheduleTasksInput>;
export const retireTasksInput = z.strictObject({
  operationId: z.uuid(),
  ids: selectionSchema,
  reason: reasonSchema,
});
export type RetireTasksInput = z.infer<typeof retireTasksInput>;

/** Input of `tasks.applyTemplates`. A template is left out if a task in use at the building was made from it. */
export const applyTemplatesInput = z.strictObject({
  operationId: z.uuid(),
  buildingId: z.uuid(taskMessages.locationRequired),
  templateIds: z.array(z.string().max(64)).min(1).max(100),
});
export type ApplyTemplatesInput = z.infer<typeof applyTemplatesInput>;

/** Input of `tasks.coverDuty`: records that a task is about the duty of a template, although its name does not show it. */
export const coverDutyInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(taskMessages.coveringRequired),
  templateId: z.string().max(64),
});
export type CoverDutyInput = z.infer<typeof coverDutyInput>;

/** Input of `tasks.templatePreview`, which returns the tasks that `tasks.applyTemplates` would add now. */
export const previewTemplatesInput = applyTemplatesInput.omit({ operationId: true });
export type PreviewTemplatesInput = z.infer<typeof previewTemplatesInput>;

/** The filter of tasks. An absent field does not narrow it. */
export const taskFilterSchema = z.strictObject({
  buildingId: z.uuid().optional(),
  status: z.enum(TASK_STATUSES).optional(),
  range: z.enum(TASK_DATE_RANGES).optional(),
  /** The text of the responsible person. */
  responsible: responsibleSchema.optional(),
  frequency: z.enum(TASK_FREQUENCIES).optional(),
  search: typedText().max(TASK_SEARCH_MAX).optional(),
});
export type TaskFilter = z.infer<typeof taskFilterSchema>;

/** Input of `tasks.overview`: all buildings, and the tasks that match the filter. */
export const taskOverviewInput = taskFilterSchema.omit({ buildingId: true }).default({});
export type TaskOverviewInput = z.infer<typeof taskOverviewInput>;

export const taskIdInput = z.strictObject({ id: z.uuid() });
/** Input of `tasks.list`: the answer has all tasks of the building. */
export const listTasksInput = z.strictObject({ buildingId: z.uuid(), retired: z.boolean().default(false) });
export type ListTasksInput = z.infer<typeof listTasksInput>;

/**
 * A building's tasks, ordered by due date, then number. `today` is the organisation's day. `omitted` is the number of retired
 * tasks beyond `RETIRED_SHOWN_MAX`, which are left out.
 */
export type TaskList = { today: string; tasks: Task[]; omitted: number; changesAt: string };

/** A row of the summary of all sites. */
export type BuildingTasks = {
  buildingId: string;
  buildingName: string;
  /** The building has no task in use. If false, figures of zero mean that nothing is due there. */
  withoutTasks: boolean;
} & TaskSummary;
/**
 * The cards over all buildings of a person, and a row for each building, the worst first. With a filter, only buildings with
 * matching tasks have a row.
 */
export type TaskOverview = {
  today: string;
  summary: TaskSummary;
  buildings: BuildingTasks[];
  changesAt: string;
};

/** A line of a task's record. */
export const recordedLineSchema = z.object({
  id: z.uuid(),
  kind: z.enum(TASK_LINE_KINDS),
  /** The day of the completion or of the mark; for other kinds, the day of recording. */
  day: z.string(),
  /** The due date after a move. */
  due: z.string().nullable(),
  /** The line that it corrects or undoes. */
  of: z.uuid().nullable(),
  /** For the creation: the day on which the task had last been done. */
  lastDone: z.string().nullable(),
  stated: z.string().nullable(),
  reason: z.string().nullable(),
  notes: z.string(),
  byName: z.string(),
  recordedAt: z.string(),
});
export type RecordedLine = z.infer<typeof recordedLineSchema>;

/** A duty without a task, with the assets that cause it. */
export type OfferedDuty = { templateId: string; assets: { type: AssetType; count: number }[] };
/** The library's offer for a building: templates that are in use there, and duties without a task. */
export type TemplateOffer = {
  inUse: string[];
  missing: OfferedDuty[];
  toConfirm: OfferedDuty[];
  /** The number of assets in use in the building's register. */
  assets: number;
};

/** A task that would be made from a template. The number is a preview: another task may take it. */
export type PlannedTask = {
  templateId: string;
  taskNumber: string;
  due: string;
  /** From the log of the check that satisfies it. */
  completedOn: string | null;
  isDue: boolean;
};
/** The tasks that applying templates would add now, and the templates that are already in use. */
export type TemplatePreview = { today: string; changesAt: string; planned: PlannedTask[]; leftOut: string[] };

/** The names to filter by, and the people who can be made responsible. */
export type ResponsibleOptions = { names: string[]; people: { id: string; name: string }[] };
