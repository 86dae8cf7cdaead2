import { type FormEvent, useRef, useState } from 'react';
import { fieldErrorsOf, isShownAtFields } from '../../lib/message-for.ts';
import { useFocusFirstError } from '../../lib/use-focus-first-error.ts';
import { toastFailure } from './toasts.ts';

/**
 * State of a form validated by the server only: its error messages appear under the fields, and the first invalid field
 * gets the focus.
 * @param failed message for a failure that no field shows
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
      // Ignores a second Enter during submission; the button stays enabled meanwhile.
      if (!busy) void submit();
    },
  };
}
