import { AppError } from '#shared/errors.ts';
import type { Changes } from '#shared/live/live.ts';
import { type FieldEdits, mergeFields } from '#shared/merge-fields.ts';

/**
 * Merges an edit into a locked row field by field (rule S6).
 * @param version the row's version, returned with a conflict
 * @param message replaces the default sentence of the conflict
 * @returns the fields to set; empty if all of them already have the wanted values
 * @throws AppError `conflict` with the present values if another person changed an edited field since; nothing is
 *   stored
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

/**
 * Returns a function that maps each field that differs between two states of a row to its old and new value.
 * @param fields those that a history shows
 */
export function changesIn<Row extends object>(fields: readonly (keyof Row & string)[]) {
  return (before: Row, after: Row): Changes =>
    Object.fromEntries(
      fields
        .filter((field) => before[field] !== after[field])
        .map((field) => [field, [before[field], after[field]]]),
    );
}

/** Maps each changed field to its old and new value, for the event of an edit. */
export function changesOf<Row extends object>(before: Row, set: Partial<Row>): Changes {
  // The cast: Object.keys loses the names.
  const fields = Object.keys(set) as (keyof Row & string)[];
  return Object.fromEntries(fields.map((field) => [field, [before[field], set[field]]]));
}
