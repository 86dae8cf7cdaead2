import { z } from 'zod';
import { messages } from '../messages.ts';

/** What building documents are grouped by. */
export const disciplineSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  createdAt: z.string(),
  version: z.number().int(),
});
export type Discipline = z.infer<typeof disciplineSchema>;

const disciplineName = z.string().trim().min(1).max(80, messages.common.tooLong(80));

/** Input of `documents.disciplines.add`. A name that was deleted comes back as it was, with its documents. */
export const addDisciplineInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: disciplineName,
});
export type AddDisciplineInput = z.infer<typeof addDisciplineInput>;

/** Input of `documents.disciplines.rename`. */
export const renameDisciplineInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: disciplineName,
});
export type RenameDisciplineInput = z.infer<typeof renameDisciplineInput>;

/** Input of `documents.disciplines.remove`. */
export const removeDisciplineInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RemoveDisciplineInput = z.infer<typeof removeDisciplineInput>;
