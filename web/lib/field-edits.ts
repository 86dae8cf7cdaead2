import { type FieldEdits, mergeField } from '#shared/merge-fields.ts';

// The fields of a form that a person has changed: each with its value when they began (`from`) and the new one (`to`).

/** Changes a field. Set back to the saved value, it is unchanged again. */
export function editField<Fields, F extends keyof Fields>(
  edits: FieldEdits<Fields>,
  row: Fields,
  field: F,
  to: Fields[F],
): FieldEdits<Fields> {
  const from: Fields[F] = edits[field]?.from ?? row[field];
  if (to === from && to === row[field]) return discardEdit(edits, field);
  return { ...edits, [field]: { from, to } };
}

/** Drops the person's change of a field in favour of the saved value. */
export function discardEdit<Fields>(edits: FieldEdits<Fields>, field: keyof Fields): FieldEdits<Fields> {
  const left = { ...edits };
  delete left[field];
  return left;
}

/** Keeps the person's change of a field against the value that another person has saved meanwhile. */
export function keepEdit<Fields, F extends keyof Fields>(
  edits: FieldEdits<Fields>,
  row: Fields,
  field: F,
): FieldEdits<Fields> {
  const edit = edits[field];
  return edit === undefined ? edits : { ...edits, [field]: { from: row[field], to: edit.to } };
}

/** Whether another person has saved a different value for a field that this person has changed. */
export function hasConflict<Fields>(edits: FieldEdits<Fields>, row: Fields, field: keyof Fields): boolean {
  const edit = edits[field];
  return edit !== undefined && mergeField(row[field], edit) === 'conflict';
}

/** The changes that still have to be saved, without those that equal the row by now. */
export function unsaved<Fields>(
  edits: FieldEdits<Fields>,
  row: Fields,
  fields: readonly (keyof Fields)[],
): FieldEdits<Fields> {
  return fields.reduce((left, field) => {
    const edit = left[field];
    return edit !== undefined && mergeField(row[field], edit) === 'unchanged'
      ? discardEdit(left, field)
      : left;
  }, edits);
}

/** The row's version and the fields that the answer to a refused save contained. */
export type ServerRow<Fields> = { version: number; fields: Partial<Fields> };

/** The newest known row: the cached one, or the one from the answer to a refused save. */
export function newestOf<Fields, Row extends Fields & { version: number }>(
  row: Row,
  told: ServerRow<Fields> | undefined,
): Row {
  return told === undefined || told.version <= row.version ? row : { ...row, ...told.fields };
}
