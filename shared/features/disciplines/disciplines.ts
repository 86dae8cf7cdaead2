import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { nameText } from '../../text/text.ts';

/** A discipline, by which building documents are grouped. */
export const disciplineSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  createdAt: z.string(),
  version: z.number().int(),
});
export type Discipline = z.infer<typeof disciplineSchema>;

const NAME_MAX = 80;
const disciplineName = nameText().min(1).max(NAME_MAX, messages.common.tooLong(NAME_MAX));

/** Input of `documents.disciplines.add`. Adding the name of a deleted discipline restores it, with its documents. */
export const addDisciplineInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: disciplineName,
});
export type AddDisciplineInput = z.infer<typeof addDisciplineInput>;

/** Input of `documents.disciplines.rename`: the name that the person saw, and the new one. */
export const renameDisciplineInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  name: fromTo(disciplineName, z.string().max(NAME_MAX)),
});
export type RenameDisciplineInput = z.infer<typeof renameDisciplineInput>;

/** Input of `documents.disciplines.remove`. */
export const removeDisciplineInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RemoveDisciplineInput = z.infer<typeof removeDisciplineInput>;
