import { z } from 'zod';
import { TASK_CHECKS } from '#shared/features/checks/kinds.vocabulary.ts';
import { editKeyOf } from '../../offline/draft-keys.ts';
import type { QueuedCommand } from '../../offline/types.ts';

const optionalDay = z.string().nullable().catch(null);
const fieldsSchema = z.object({
  buildingId: z.string().catch(''),
  complianceSystem: z.string().catch(''),
  taskDescription: z.string().catch(''),
  frequency: z.string().catch(''),
  responsiblePerson: z.string().catch(''),
  responsibleId: z.string().nullable().catch(null),
  lastDone: optionalDay,
  stated: optionalDay,
  check: z.enum(TASK_CHECKS).nullable().catch(null),
});
/** The fields of a new task as they are being typed; not necessarily valid. */
export type TaskFields = z.infer<typeof fieldsSchema>;

/** Reads the fields from a draft, or from a queued command's input, which another version of the page may have written. */
export function taskFieldsIn(stored: unknown): TaskFields {
  return fieldsSchema.parse(typeof stored === 'object' && stored !== null ? stored : {});
}

/** Returns whether anything besides the location was entered: a location alone is not stored as a draft. */
export function isTyped({ buildingId: _place, ...fields }: TaskFields): boolean {
  return Object.values(fields).some((value) => value !== '' && value !== null);
}

/** Key of the draft of the person's new task. The number changes with the draft's shape. */
export const NEW_TASK_DRAFT = 'task.1:new';

/** Returns the key of the draft of a person's changes to a task. */
export function changesDraftOf(taskId: string): string {
  return `task-edit.1:${taskId}`;
}

/** Creates the draft for correcting a refused new task, or refused changes to a task. */
export function stageTaskDraft(item: QueuedCommand): ReadonlyMap<string, unknown> {
  const changes: unknown = Reflect.get(Object(item.input), 'changes');
  return new Map([
    [editKeyOf(item.id), item.command === 'tasks.create' ? taskFieldsIn(item.input) : changes],
  ]);
}
