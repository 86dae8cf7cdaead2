import { type FormEvent, useRef, useState } from 'react';
import { fieldErrorsOf, isShownAtFields } from '../../lib/message-for.ts';
import { useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { toastFailure } from './toasts.ts';

/**
 * A form that always asks the server: its sentences come back under the fields, and the first of those gets the focus.
 * @param failed the sentence for a failure that no field explains
 */
export function useSubmit(failed: string, send: () => Promise<void>) {
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  useFocusFirstError(form, wrong, busy);

  async function submit() {
    setBusy(true);
    setWrong({});
    try {
      await send();
    } catch (error) {
      setWrong(fieldErrorsOf(error));
      if (!isShownAtFields(error)) toastFailure(error, failed);
    } finally {
      setBusy(false);
    }
  }

  return {
    form,
    wrong,
    busy,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      // A second Enter while the first is under way is one too many; the button is not disabled for it.
      if (!busy) void submit();
    },
  };
}
