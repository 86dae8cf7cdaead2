import { type FieldEdits, mergeField } from '#shared/merge-fields.ts';

// The fields of a form that a person has changed: each with its value when they began (`from`) and the new one (`to`).

/** Changes a field. A field that is set back to the saved value counts as unchanged. */
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

/** Keeps this person's value, although another person has saved a different one in the meantime. */
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
export function unsaved<Fields>(edits: FieldEdits<Fields>, row: Fields): FieldEdits<Fields> {
  return fieldsOf(edits).reduce((left, field) => {
    const edit = left[field];
    return edit !== undefined && mergeField(row[field], edit) === 'unchanged'
      ? discardEdit(left, field)
      : left;
  }, edits);
}

/** The new value of each changed field, as a patch for the overlay. */
export function wishesOf<Fields>(edits: FieldEdits<Fields>): Partial<Fields> {
  const wishes: Partial<Fields> = {};
  for (const field of fieldsOf(edits)) {
    const edit = edits[field];
    if (edit !== undefined) wishes[field] = edit.to;
  }
  return wishes;
}

/** The changed fields. */
export function fieldsOf<Fields>(edits: FieldEdits<Fields>): (keyof Fields)[] {
  // The cast: Object.keys returns string[].
  return Object.keys(edits) as (keyof Fields)[];
}

/** The row's version and the fields that the answer to a refused save contained. */
export type ServerRow<Fields> = { version: number; fields: Partial<Fields> };

/** The newest known row: the cached one, or the one from the answer to a refused save. */
export function newestOf<Row extends object>(row: Row, told: ServerRow<Row> | undefined): Row {
  return told === undefined || told.version <= versionOf(row) ? row : { ...row, ...told.fields };
}

/** The row's version; 0 if it has none. */
function versionOf(row: object): number {
  const version: unknown = Reflect.get(row, 'version');
  return typeof version === 'number' ? version : 0;
}
