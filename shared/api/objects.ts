import { z } from 'zod';
import { assetSchema } from '../features/assets/assets.ts';
import { checkVisitSchema } from '../features/checks/rows.ts';
import { disciplineSchema } from '../features/disciplines/disciplines.ts';
import { documentSchema, documentVersionSchema } from '../features/documents/documents.ts';
import { issueCommentSchema, issueSchema } from '../features/issues/issues.ts';
import { buildingSchema, clientRowSchema, floorSchema } from '../features/locations/locations.ts';
import { isOverdue, statusOn, TASK_STATUSES } from '../features/tasks/task-schedule.ts';
import { recordedLineSchema, type Task, taskSchema } from '../features/tasks/tasks.ts';
import { personSchema } from '../features/users/users.ts';

/** An object as other programs get it: its name, and the schema, because only the fields named there are sent. */
export type ApiObject = {
  name: string;
  schema: z.ZodObject;
  /** The fields that follow from a row and the organisation's day, as the app's own screens compute them. */
  derive?(row: object, today: string): object;
};

/** The objects of the API's answers and of webhooks. */
export const apiObjects = {
  issue: { name: 'Issue', schema: issueSchema },
  comment: { name: 'Comment', schema: issueCommentSchema },
  task: {
    name: 'Task',
    /** `status` is null if the task is retired, or if nothing is due by the site's schedule. */
    schema: taskSchema.extend({ status: z.enum(TASK_STATUSES).nullable(), isOverdue: z.boolean() }),
    derive(row, today) {
      // The cast: callers pass a row of this object's schema.
      const one = row as Task;
      const counts = one.isDue && one.retiredAt === null;
      return { status: counts ? statusOn(one, today) : null, isOverdue: counts && isOverdue(one, today) };
    },
  },
  taskLine: { name: 'TaskLine', schema: recordedLineSchema },
  logRecord: { name: 'LogRecord', schema: checkVisitSchema },
  document: { name: 'Document', schema: documentSchema },
  documentVersion: { name: 'DocumentVersion', schema: documentVersionSchema },
  discipline: { name: 'Discipline', schema: disciplineSchema },
  asset: { name: 'Asset', schema: assetSchema },
  client: { name: 'Client', schema: clientRowSchema },
  building: { name: 'Building', schema: buildingSchema },
  floor: { name: 'Floor', schema: floorSchema },
  // Without the list of buildings that a person may see, because the key may see fewer.
  person: { name: 'Person', schema: personSchema.omit({ buildings: true }) },
} satisfies Readonly<Record<string, ApiObject>>;

/** A row as it is sent. @param today the organisation's day, for objects with `derive` */
export function toApiObject(
  { schema, derive }: ApiObject,
  row: object,
  today: string,
): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...row, ...derive?.(row, today) };
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, whole[name]]));
}
