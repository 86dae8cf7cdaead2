import { type FieldEdits, mergeField } from '#shared/merge-fields.ts';

// The fields of a form that a person has touched: what each was when they began, and what they want.

/** Touches a field. Back at what is saved, it is untouched again. */
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

/** Takes what is saved in the place of the own wish. */
export function discardEdit<Fields>(edits: FieldEdits<Fields>, field: keyof Fields): FieldEdits<Fields> {
  const left = { ...edits };
  delete left[field];
  return left;
}

/** Keeps the own wish against what somebody else has saved meanwhile. */
export function keepEdit<Fields, F extends keyof Fields>(
  edits: FieldEdits<Fields>,
  row: Fields,
  field: F,
): FieldEdits<Fields> {
  const edit = edits[field];
  return edit === undefined ? edits : { ...edits, [field]: { from: row[field], to: edit.to } };
}

/** Has somebody else saved another value for a field that this person has touched? */
export function hasConflict<Fields>(edits: FieldEdits<Fields>, row: Fields, field: keyof Fields): boolean {
  const edit = edits[field];
  return edit !== undefined && mergeField(row[field], edit) === 'conflict';
}

/** What is still to be saved: a wish that has come true meanwhile is none. */
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

/** What the answer to a refused save told of the row. */
export type ServerRow<Fields> = { version: number; fields: Partial<Fields> };

/** The row as the server last told of it: the newer of the cached one and the answer to a refused save. */
export function newestOf<Fields, Row extends Fields & { version: number }>(
  row: Row,
  told: ServerRow<Fields> | undefined,
): Row {
  return told === undefined || told.version <= row.version ? row : { ...row, ...told.fields };
}
