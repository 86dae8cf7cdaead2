/** The fields that a person changed: the value that they saw and the new value (rule S6). */
export type FieldEdits<Fields> = { [F in keyof Fields]?: { from: Fields[F]; to: Fields[F] } | undefined };

/** The fields to set, and the present values of those that another person has changed since. */
export type Merge<Fields> = { set: Partial<Fields>; conflicts: Partial<Fields> };

/**
 * Merges one field: it is set if it still has the value that the person saw, unchanged if it already has the new one,
 * and in conflict otherwise, however old the edit is. The server and the forms share this function.
 */
export function mergeField<Value>(
  present: Value,
  { from, to }: { from: Value; to: Value },
): 'set' | 'unchanged' | 'conflict' {
  if (present === to) return 'unchanged';
  return present === from ? 'set' : 'conflict';
}

/** Merges an edit into a row field by field. */
export function mergeFields<Fields extends object>(
  present: Fields,
  touched: FieldEdits<Fields>,
): Merge<Fields> {
  const set: Partial<Fields> = {};
  const conflicts: Partial<Fields> = {};
  // The cast: Object.keys loses which names `touched` may have.
  for (const field of Object.keys(touched) as (keyof Fields)[]) {
    const edit = touched[field];
    if (edit === undefined) continue;
    const outcome = mergeField(present[field], edit);
    if (outcome === 'set') set[field] = edit.to;
    else if (outcome === 'conflict') conflicts[field] = present[field];
  }
  return { set, conflicts };
}
