import type { Choice } from '../../../ui/fields/choice-buttons.tsx';

/** A number field shown beside the outcome. */
export type NumberField = {
  field: string;
  label: string;
  suffix: string;
  /** Outcomes after which the field is shown; absent means always. */
  after?: readonly string[] | undefined;
  /** Condition on a visit field; absent means always. */
  when?: { field: string; is: string } | undefined;
  /** Error message when the field is empty; absent means the field is optional. */
  required?: string | undefined;
};

/** Wording and behaviour of the rows of a form. Must be the same object at every render. */
export type FormSpec = {
  /** The entry field for the outcome, and its options. */
  outcome: { field: string; label: string; choices: readonly Choice<string>[] };
  /** Label of the notes by outcome. For these outcomes the notes field is shown at once. */
  asks: Readonly<Record<string, string>>;
  /** Error message by outcome when its notes are required and empty. */
  reasons: Readonly<Record<string, string>>;
  /** Outcomes that raise an issue. */
  raises: readonly string[];
  numbers: readonly NumberField[];
  /** Choices that apply to the whole visit. */
  choices: readonly { field: string; label: string; options: Readonly<Record<string, string>> }[];
  /** The last word of the tally, such as "read" in "2 of 6 read". */
  done: string;
  /** The outcome set by the "fill all" button, its label, and its label once some rows have an outcome. */
  fillAll?: { value: string; label: string; others: string } | undefined;
  /** Note shown under the choices while the condition on a visit field is met. */
  note?: { when: { field: string; is: string }; text: string } | undefined;
  /** Error message for the rows as a group when this field is empty in a selected row. */
  missing?: { field: string; text: string } | undefined;
  /** Every row becomes an entry of the record, including untouched ones. */
  everyRow?: boolean | undefined;
};
