import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldEdits } from '#shared/merge-fields.ts';
import {
  discardEdit,
  editField,
  fieldsOf,
  hasConflict,
  keepEdit,
  newestOf,
  type ServerRow,
  unsaved,
  wishesOf,
} from './field-edits.ts';
import { type Form, type FormOptions, useForm } from './use-command-form.ts';

type Options<Fields extends object, Input, Answer> = Omit<FormOptions<Fields, Input, Answer>, 'send'> & {
  /** The cached row. Values that others save in the meantime appear in unchanged fields. */
  row: Fields;
  /** Makes the command's input from the changed fields, each with the value that the person saw and the new one. */
  input: (changes: FieldEdits<Fields>) => unknown;
  send: (input: Input, row: Fields) => Promise<Answer>;
  /** Called instead of sending when nothing has changed. */
  onUnchanged: () => void;
  /** The changes with which the form opens: those of a draft, or of a refused command. */
  edits?: FieldEdits<Fields> | undefined;
  /** Called with the changes whenever these have changed. */
  onEdit?: ((edits: FieldEdits<Fields>) => void) | undefined;
};

export type RowForm<Fields extends object> = Form<Fields> & {
  /** The newest known row. */
  row: Fields;
  /** Whether another person has saved a different value for a changed field. The person must choose one. */
  contested(field: keyof Fields): boolean;
  keepMine(field: keyof Fields): void;
  takeTheirs(field: keyof Fields): void;
};

/**
 * The form of a command that edits a saved row. Only changed fields are sent; after a conflict with another person's
 * change, the field asks which value to keep (`conflictHint`).
 */
export function useRowForm<Fields extends object, Input, Answer>(
  options: Options<Fields, Input, Answer>,
): RowForm<Fields> {
  const [edits, setEdits] = useState<FieldEdits<Fields>>(options.edits ?? {});
  const [told, setTold] = useState<ServerRow<Fields>>();
  const row = newestOf(options.row, told);
  const changes = unsaved(edits, row);
  const dirty = fieldsOf(changes).length > 0;
  const contested = (field: keyof Fields) => hasConflict(edits, row, field);
  const tellEdits = useEffectEvent((now: FieldEdits<Fields>) => options.onEdit?.(now));
  const lastTold = useRef(edits);
  useEffect(() => {
    if (lastTold.current === edits) return;
    lastTold.current = edits;
    tellEdits(edits);
  }, [edits]);
  const form = useForm<Fields, Input, Answer>(
    { ...options, send: (input) => options.send(input, row) },
    {
      values: { ...row, ...wishesOf(edits) },
      dirty,
      input: options.input(changes),
      set: (field, to) => setEdits((before) => editField<Fields, typeof field>(before, row, field, to)),
      onSent: () => setEdits({}),
      stops() {
        if (dirty) return fieldsOf(changes).some(contested) ? 'asks' : undefined;
        options.onUnchanged();
        return 'unchanged';
      },
      onRefused({ code, version, fields = {} }) {
        if (code !== 'conflict' || version === undefined) return;
        // The cast: the server answers with present values of this row's fields, by name.
        setTold({ version, fields: fields as Partial<Fields> });
      },
    },
  );
  return {
    ...form,
    row,
    contested,
    keepMine: (field) => setEdits((before) => keepEdit(before, row, field)),
    takeTheirs: (field) => setEdits((before) => discardEdit(before, field)),
  };
}
