import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { WireError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import { fieldErrorsOf } from '../lib/trpc/message-for.ts';
import { wireErrorOf } from '../lib/trpc/wire-error.ts';
import { useMounted } from '../lib/use-mounted.ts';
import { toastSuccess } from '../ui/feedback/toast.ts';
import { maxLengthIn } from './max-length.ts';
import { toastFailure } from './toasts.ts';

/** The part of a schema that a form needs. */
export type FormSchema<Input> = {
  safeParse: (
    value: unknown,
  ) =>
    | { success: true; data: Input; error?: undefined }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
};

export type FormOptions<Fields extends object, Input, Answer> = {
  /** The command's own schema; a function that imports it where the screen must not load the validation library. */
  schema: FormSchema<Input> | (() => Promise<FormSchema<Input>>);
  /** Sends the command. An error is shown at the fields that it names, otherwise in a toast. */
  send: (input: Input) => Promise<Answer>;
  /** Text of the toast after success; none if absent. */
  success?: string | ((answer: Answer) => string | undefined);
  /** The number or name of what the command is about, as the title of that toast. */
  about?: string | ((answer: Answer, input: Input) => string | undefined);
  /** Names the failure in the toast, or a function that shows the toast. */
  failure: string | ((error: unknown) => void);
  /** The field that shows the refusal of a duplicate. */
  duplicateAt?: keyof Fields & string;
  /** Called after success, unless the form was closed in the meantime. */
  onSent?: (answer: Answer, input: Input) => void;
};

type Options<Fields extends object, Input, Answer> = FormOptions<Fields, Input, Answer> & {
  /** Values of the fields at first and after each success. */
  blank: Fields;
  /** Makes the command's input; the values themselves if absent. */
  input?: (values: Fields) => unknown;
  /** Called with the new values at each change. */
  onType?: (values: Fields) => void;
};

type TextField<Fields> = {
  [F in keyof Fields]: string extends Fields[F] ? F : never;
}[keyof Fields] &
  string;
type OptionalField<Fields> = {
  [F in keyof Fields]: null extends Fields[F] ? (Fields[F] extends string | null ? F : never) : never;
}[keyof Fields] &
  string;
type FieldProps = {
  name: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  error: string | undefined;
};
type TextProps = FieldProps & { maxLength: number | undefined };

export type Form<Fields extends object> = {
  ref: RefObject<HTMLFormElement | null>;
  onSubmit: (event: FormEvent) => void;
  /** Loads the schema while the person types. */
  prepare: () => void;
  values: Fields;
  /** The form is being validated or sent, and ignores a second submit. */
  busy: boolean;
  /** Some value differs from the saved one. */
  dirty: boolean;
  /** Error sentences by field. */
  errors: Readonly<Record<string, string>>;
  set<F extends keyof Fields & string>(field: F, to: Fields[F]): void;
  /** Props of a text field. */
  text(field: TextField<Fields>): TextProps;
  /** Props of a password field. It has no maxLength, because a pasted password must not be cut silently. */
  secret(field: TextField<Fields>): FieldProps;
  /** Props of a text field that is null when empty. */
  optional(field: OptionalField<Fields>): TextProps;
  /** Props of a select. */
  choice<F extends keyof Fields & string>(field: F, options: readonly (Fields[F] & string)[]): FieldProps;
};
/** Parameter type for components that draw some fields of any form that has them. */
export type FormPart<Fields extends object> = Pick<Form<Fields>, keyof Form<Fields>>;

/**
 * The form of a command, for every dialog and page that sends one; `useRowForm` is for commands that edit a saved row. It
 * validates by the command's schema, sends once at a time, shows refusals at their fields with the focus on the first,
 * and shows other failures and successes in toasts. `CommandForm` renders the form; a dialog around it asks before it
 * discards typed values.
 *
 * Two forms are exceptions. The check forms render and store a draft at each key press, and do not wait for the server.
 * The comment box empties at once and shows the comment before it is saved.
 */
export function useCommandForm<Fields extends object, Input, Answer>(
  options: Options<Fields, Input, Answer>,
): Form<Fields> {
  const { blank } = options;
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const values: Fields = { ...blank, ...typed };
  return useForm(options, {
    values,
    // The cast: Object.keys returns string[].
    dirty: (Object.keys(typed) as (keyof Fields)[]).some((field) => values[field] !== blank[field]),
    input: options.input?.(values) ?? values,
    set(field, to) {
      setTyped((before) => ({ ...before, [field]: to }));
      options.onType?.({ ...values, [field]: to });
    },
    onSent: () => setTyped({}),
  });
}

/** State of the fields. */
type Held<Fields extends object> = {
  values: Fields;
  dirty: boolean;
  /** The command's present input. */
  input: unknown;
  set: <F extends keyof Fields & string>(field: F, to: Fields[F]) => void;
  onSent: () => void;
  /** Returns why the form must not be sent: nothing has changed (`unchanged`), or a conflict is not decided (`asks`). */
  stops?: (() => 'unchanged' | 'asks' | undefined) | undefined;
  onRefused?: ((wire: WireError) => void) | undefined;
};

/**
 * The error sentences for dates that the browser cannot read, such as 31 February or an incomplete date. The value of
 * such a field is empty, so it would be sent as if nothing had been typed.
 */
function unreadableDates(form: Element): (readonly [field: string, sentence: string])[] {
  return [...form.querySelectorAll<HTMLInputElement>('[type=date]')]
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => [name, messages.common.dateInvalid]);
}

const NEEDS_WORK = '[aria-invalid="true"], button[data-invalid], [data-contested] button';

/** Shared by both hooks: validation, sending, errors and toasts. */
export function useForm<Fields extends object, Input, Answer>(
  options: FormOptions<Fields, Input, Answer>,
  held: Held<Fields>,
): Form<Fields> {
  const { values } = held;
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const [fetched, setFetched] = useState<FormSchema<Input>>();
  const sending = useRef(false);
  const seeksError = useRef(false);
  const mounted = useMounted();

  useEffect(() => {
    if (busy || !seeksError.current) return;
    seeksError.current = false;
    ref.current?.querySelector<HTMLElement>(NEEDS_WORK)?.focus();
  });

  /** @returns the first sentence whose field is not in this form */
  function showErrors(sentences: readonly (readonly [path: string, sentence: string])[]): string | undefined {
    const found: Record<string, string> = {};
    let other: string | undefined;
    for (const [path, sentence] of sentences) {
      const field = fieldAt(path);
      if (field in values) found[field] ??= sentence;
      else other ??= sentence;
    }
    setErrors(found);
    seeksError.current = true;
    return other;
  }

  function fail(error: unknown, why: string | undefined): void {
    if (typeof options.failure === 'function') options.failure(error);
    else toastFailure(error, options.failure, why);
  }

  async function fetchSchema(): Promise<FormSchema<Input>> {
    if (typeof options.schema !== 'function') return options.schema;
    const found = fetched ?? (await options.schema());
    setFetched(found);
    return found;
  }

  async function submit(unreadable: ReturnType<typeof unreadableDates>): Promise<void> {
    try {
      const checked = (await fetchSchema()).safeParse(held.input);
      if (checked.error || unreadable.length > 0) {
        const issues = checked.error?.issues.map(({ path, message }) => [path.join('.'), message] as const);
        const other = showErrors(unreadable.concat(issues ?? []));
        if (other !== undefined) fail(checked.error, other);
        return;
      }
      const asks = held.stops?.() === 'asks';
      showErrors([]);
      if (asks) return;
      const answer = await options.send(checked.data);
      const { about, success } = options;
      const text = typeof success === 'function' ? success(answer) : success;
      const title = typeof about === 'function' ? about(answer, checked.data) : about;
      if (text !== undefined) toastSuccess(text, { about: title });
      held.onSent();
      if (mounted.current) options.onSent?.(answer, checked.data);
    } catch (error) {
      const wire = wireErrorOf(error);
      if (wire !== undefined) held.onRefused?.(wire);
      const sentences = Object.entries(fieldErrorsOf(error));
      const { duplicateAt } = options;
      if (duplicateAt !== undefined && wire?.code === 'duplicate' && wire.message !== undefined) {
        sentences.push([duplicateAt, wire.message]);
      }
      const other = showErrors(sentences);
      if (sentences.length === 0 || other !== undefined) fail(error, other);
    }
  }

  function set<F extends keyof Fields & string>(field: F, to: Fields[F]): void {
    held.set(field, to);
    setErrors(({ [field]: _fixed, ...rest }) => rest);
  }

  // The casts: callers pass only text fields, and null only for fields that allow it.
  function bind<F extends keyof Fields & string>(
    field: F,
    read: (typed: string) => unknown = (typed) => typed,
  ): FieldProps {
    return {
      name: field,
      value: (values[field] as string | null) ?? '',
      onChange: ({ target }) => set(field, read(target.value) as Fields[F]),
      error: errors[field],
    };
  }
  const lengthOf = (field: string) => ({ maxLength: maxLengthIn(fetched ?? options.schema, field) });

  return {
    ref,
    onSubmit(event) {
      event.preventDefault();
      const unreadable = unreadableDates(event.currentTarget);
      // A ref, because a state changes too late to stop the second tap of a double tap.
      if (sending.current || (unreadable.length === 0 && held.stops?.() === 'unchanged')) return;
      sending.current = true;
      setBusy(true);
      void submit(unreadable).finally(() => {
        sending.current = false;
        setBusy(false);
      });
    },
    // A failed import is repeated, and reported, on submit.
    prepare: () => void fetchSchema().catch(() => undefined),
    values,
    busy,
    dirty: held.dirty,
    errors,
    set,
    secret: (field) => bind(field),
    text: (field) => ({ ...bind(field), ...lengthOf(field) }),
    optional: (field) => ({ ...bind(field, (typed) => (typed === '' ? null : typed)), ...lengthOf(field) }),
    choice: (field, options) => bind(field, (typed) => options.find((each) => each === typed) ?? null),
  };
}

/** The field of a path in an input: `changes.name.to` is the field `name`. */
function fieldAt(path: string): string {
  return path.replace(/^(changes|entry)\./, '').replace(/\.to$/, '');
}
