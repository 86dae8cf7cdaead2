import { z } from 'zod';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { presentDay } from '../../lib/time/present-time.ts';
import { editKeyOf, partKeyOf } from '../../offline/draft-keys.ts';
import type { QueuedCommand } from '../../offline/types.ts';
import { filesOf } from '../photos/taken-photo.ts';

const fieldsSchema = z.object({
  day: z.string(),
  stated: z.string().nullable(),
  notes: z.string(),
  missedReason: z.string(),
});
export type CompletionFields = z.infer<typeof fieldsSchema>;

const PHOTOS = 'completion';

/** The draft keys of a new completion, or of a refused one being corrected. The number changes with the draft's shape. */
export function completionDraftKeys(task: Pick<Task, 'id'>, edits: QueuedCommand | undefined) {
  const own = `completion.1:${task.id}`;
  if (edits === undefined) return { draftKey: own, photosKey: own };
  const draftKey = editKeyOf(edits.id);
  return { draftKey, photosKey: partKeyOf(draftKey, PHOTOS) };
}

/** Creates the drafts for correcting a refused completion. */
export function stageCompletionDraft(
  item: QueuedCommand,
  files: ReadonlyMap<string, Blob>,
): ReadonlyMap<string, unknown> {
  const key = editKeyOf(item.id);
  const ids = item.attachments.map(({ id }) => id);
  return new Map<string, unknown>([
    [key, completionFieldsIn(item.input)],
    [partKeyOf(key, PHOTOS), filesOf(item, files, ids)],
  ]);
}

/** Reads the fields of a stored completion; missing ones get the values of an untouched form. */
export function completionFieldsIn(stored: unknown): CompletionFields {
  const read = fieldsSchema.partial().safeParse(pickFields(stored));
  const { day = presentDay(), stated = null, notes = '', missedReason = '' } = read.success ? read.data : {};
  return { day, stated, notes, missedReason };
}

function pickFields(stored: unknown): unknown {
  const { day, stated, notes, missedReason } = Object(stored) as Record<string, unknown>;
  return { day, stated, notes, missedReason };
}
