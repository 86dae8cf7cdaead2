import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { FieldEdits } from '#shared/merge-fields.ts';
import {
  discardEdit,
  editField,
  hasConflict,
  keepEdit,
  newestOf,
  type ServerRow,
  unsaved,
} from './field-edits.ts';
import { fieldErrorsOf } from './message-for.ts';
import { useMounted } from './use-mounted.ts';
import { wireErrorOf } from './wire-error.ts';

type Options<Row, Fields> = {
  /** The cached row: values that others save meanwhile appear in unchanged fields. */
  row: Row;
  fields: readonly (keyof Fields & string)[];
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
  /** Validates the new values by the schema; returns its issues. */
  check: (wishes: Readonly<Record<string, unknown>>) => readonly Objection[];
  /** Sends the changed fields, each with the value that the person saw. */
  send: (row: Row, changes: FieldEdits<Fields>) => Promise<unknown>;
  onSaved: () => void;
  onFailed: (error: unknown) => void;
};
type Objection = { path: readonly PropertyKey[]; message: string };

/** The form of a saved row that other people may edit at the same time. */
export type RowEdits<Row, Fields> = {
  form: RefObject<HTMLFormElement | null>;
  /** The newest known row. */
  row: Row;
  saving: boolean;
  value: <F extends keyof Fields>(field: F) => Fields[F];
  set: <F extends keyof Fields>(field: F, to: Fields[F]) => void;
  /** The sentences under the fields. */
  wrong: Partial<Record<keyof Fields, string>>;
  /** Whether another person has saved a different value for a changed field. The person must choose one. */
  contested: (field: keyof Fields) => boolean;
  keepMine: (field: keyof Fields) => void;
  takeTheirs: (field: keyof Fields) => void;
  onSubmit: (event: FormEvent) => void;
};

export function useRowEdits<Fields extends object, Row extends Fields & { version: number }>(
  options: Options<Row, Fields>,
): RowEdits<Row, Fields> {
  const { fields, onDirty, onClose } = options;
  const [edits, setEdits] = useState<FieldEdits<Fields>>({});
  const [told, setTold] = useState<ServerRow<Fields>>();
  const [wrong, setWrong] = useState<Partial<Record<keyof Fields, string>>>({});
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mounted = useMounted();
  const row = newestOf(options.row, told);
  const left = unsaved<Fields>(edits, row, fields);
  const dirty = Object.keys(left).length > 0;

  // The dialog around the form asks before it closes, so it must know before the next key, which may be Escape.
  useLayoutEffect(() => onDirty(dirty && !saving), [dirty, saving, onDirty]);

  /** Collects the sentences of the fields that have one. */
  function byField(sentenceFor: (field: keyof Fields & string) => string | undefined) {
    const found: Partial<Record<keyof Fields, string>> = {};
    for (const field of fields) {
      const sentence = sentenceFor(field);
      if (sentence !== undefined) found[field] = sentence;
    }
    return found;
  }

  async function save(): Promise<void> {
    if (!dirty) {
      onClose();
      return;
    }
    const wishes = fields.flatMap((field) => (left[field] ? [[field, left[field].to]] : []));
    const objections = options.check(Object.fromEntries(wishes));
    const invalid = byField((field) => objections.find(({ path }) => path[0] === field)?.message);
    setWrong(invalid);
    if (Object.keys(invalid).length > 0 || fields.some((field) => hasConflict(left, row, field))) {
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-contested] button')?.focus(),
      );
      return;
    }
    setSaving(true);
    try {
      await options.send(row, left);
      options.onSaved();
      // If the person closed the form during the save, they must not be moved from where they are now.
      if (!mounted.current) return;
      onDirty(false);
      onClose();
    } catch (error) {
      const wire = wireErrorOf(error);
      if (wire?.code === 'conflict' && wire.version !== undefined) {
        // The cast: the server answers with present values of this row's fields, by name.
        setTold({ version: wire.version, fields: (wire.fields ?? {}) as Partial<Fields> });
      }
      const sentences = fieldErrorsOf(error);
      setWrong(byField((field) => sentences[`changes.${field}.to`] ?? sentences[field]));
      options.onFailed(error);
    } finally {
      setSaving(false);
    }
  }

  return {
    form,
    row,
    saving,
    value(field) {
      const edit = edits[field];
      return edit === undefined ? row[field] : edit.to;
    },
    set(field, to) {
      setEdits((before) => editField<Fields, typeof field>(before, row, field, to));
      setWrong(({ [field]: _fixed, ...rest }) => rest as typeof wrong);
    },
    wrong,
    contested: (field) => hasConflict<Fields>(edits, row, field),
    keepMine: (field) => setEdits((before) => keepEdit<Fields, typeof field>(before, row, field)),
    takeTheirs: (field) => setEdits((before) => discardEdit(before, field)),
    onSubmit(event) {
      event.preventDefault();
      void save();
    },
  };
}
