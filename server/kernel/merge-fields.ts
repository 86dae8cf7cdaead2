import { AppError } from '#shared/errors.ts';
import type { Changes } from '#shared/live.ts';
import { type FieldEdits, mergeFields } from '#shared/merge-fields.ts';

/**
 * Merges an edit into a locked row field by field (rule S6).
 * @param version of the row that the person edits, for the answer
 * @param message in the place of the sentence of the error code
 * @returns the fields to set; empty where all of them have the wanted values already
 * @throws AppError `conflict` with the present values where another person changed a field since; nothing is stored
 */
export function mergeEdit<Fields extends object>(
  present: Fields,
  version: number,
  touched: FieldEdits<Fields>,
  message?: string,
): Partial<Fields> {
  const { set, conflicts } = mergeFields(present, touched);
  if (Object.keys(conflicts).length > 0) {
    throw new AppError('conflict', {
      data: { fields: conflicts, version },
      ...(message !== undefined && { message }),
    });
  }
  return set;
}

/** Field → what it was and what it becomes, for the event of an edit. */
export function changesOf<Row extends object>(before: Row, set: Partial<Row>): Changes {
  // The cast: Object.keys forgets which names `set` may have.
  const fields = Object.keys(set) as (keyof Row & string)[];
  return Object.fromEntries(fields.map((field) => [field, [before[field], set[field]]]));
}
