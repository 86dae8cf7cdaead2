import { type RefObject, useEffect } from 'react';

/** After a refused submit, once the fields are enabled again, focuses the first invalid one. */
export function useFocusFirstError(
  form: RefObject<HTMLFormElement | null>,
  errors: object,
  busy: boolean,
): void {
  useEffect(() => {
    if (busy || Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, errors, busy]);
}
