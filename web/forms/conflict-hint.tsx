import { FieldConflict } from '../ui/fields/field-conflict.tsx';
import type { RowForm } from './use-row-form.ts';

/** Hint of a contested field: shows the other person's value and asks which of the two to keep. */
export function conflictHint<Fields extends object, F extends keyof Fields & string>(
  form: RowForm<Fields>,
  field: F,
  words: (value: Fields[F]) => string = (value) => String(value ?? ''),
) {
  if (!form.contested(field)) return undefined;
  return (
    <FieldConflict
      theirs={words(form.row[field])}
      onKeep={() => form.keepMine(field)}
      onTake={() => form.takeTheirs(field)}
    />
  );
}
