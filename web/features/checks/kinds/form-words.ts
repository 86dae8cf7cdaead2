import type { Choice } from '../../../ui/choice-buttons.tsx';

/** A number that is asked for beside the outcome. */
export type NumberField = {
  field: string;
  label: string;
  suffix: string;
  /** Only after one of these outcomes; always, where absent. */
  after?: readonly string[] | undefined;
  /** Only while the visit says so. */
  when?: { field: string; is: string } | undefined;
  /** What is said where it is asked for and missing; it may be missing, where absent. */
  required?: string | undefined;
};

/** How the rows of a form are filled in. The same object at every render. */
export type FormWords = {
  /** The entry's field that holds the outcome, and what it may be. */
  outcome: { field: string; label: string; choices: readonly Choice<string>[] };
  /** What the notes are called after an outcome, where they are asked for. */
  asks: Readonly<Record<string, string>>;
  /** What is said where an outcome has no notes that it cannot do without. */
  reasons: Readonly<Record<string, string>>;
  /** The outcomes that raise an issue. */
  raises: readonly string[];
  numbers: readonly NumberField[];
  /** Said once for all rows. */
  choices: readonly { field: string; label: string; options: Readonly<Record<string, string>> }[];
  /** "2 of 6 read". */
  done: string;
  /** The outcome that one press gives every row without one, and what that is called: at first, and where some have one. */
  fillAll?: { value: string; label: string; others: string } | undefined;
  /** Said under the choices while the visit says so. */
  note?: { when: { field: string; is: string }; text: string } | undefined;
  /** Said of the rows together where a row that is chosen has nothing in this field. */
  missing?: { field: string; text: string } | undefined;
  /** Every row becomes a line of the record, also an untouched one. */
  everyRow?: boolean | undefined;
};
