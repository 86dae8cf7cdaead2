import { type FormEvent, type RefObject, useRef, useState } from 'react';
import type { z } from 'zod';
import { fieldErrorsOf } from './message-for.ts';
import { useFocusFirstError } from './use-focus-first-error.ts';

type Options<Input> = {
  /** Loads the schema: validation is not part of any screen's first load. */
  schema: () => Promise<z.ZodType<Input>>;
  /** The values to validate, from the form's entries. */
  values: (entries: Record<string, FormDataEntryValue>) => unknown;
  /** Sends the input. An error is shown at the fields that it names, and passed to `onFailed`. */
  send: (input: Input, form: HTMLFormElement) => Promise<void>;
  onFailed: (error: unknown) => void;
};

/** A form of plain fields: validated on submit, with sentences at the fields and the focus on the first invalid one. */
export function useCheckedForm<Input>(options: Options<Input>): {
  form: RefObject<HTMLFormElement | null>;
  busy: boolean;
  errors: Record<string, string>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
} {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  useFocusFirstError(form, errors, busy);

  async function submit(element: HTMLFormElement): Promise<void> {
    const entries = Object.fromEntries(new FormData(element));
    setBusy(true);
    try {
      const parsed = (await options.schema()).safeParse(options.values(entries));
      if (!parsed.success) {
        const found: Record<string, string> = {};
        for (const issue of parsed.error.issues) found[issue.path.join('.')] ??= issue.message;
        setErrors(found);
        return;
      }
      setErrors({});
      await options.send(parsed.data, element);
    } catch (error) {
      setErrors(fieldErrorsOf(error));
      options.onFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    form,
    busy,
    errors,
    onSubmit: (event) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}
