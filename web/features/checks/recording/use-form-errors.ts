import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { EntryDraft } from '../kinds/entry-draft.ts';
import { type FormErrors, NO_ERRORS } from '../kinds/validate-visit.ts';

/** Error messages of a form until they are corrected. Each refusal focuses the first invalid field. */
export function useFormErrors(root: RefObject<HTMLElement | null>) {
  const [errors, setErrors] = useState(NO_ERRORS);
  const [refusals, setRefusals] = useState(0);

  // Runs once for each refusal: a correction afterwards must not move the focus.
  useEffect(() => {
    if (refusals === 0) return;
    const first = root.current?.querySelector<HTMLElement>('[aria-invalid], [data-invalid]');
    const control = first?.matches('[role=group]') === true ? first.querySelector('button') : first;
    control?.focus();
    first?.scrollIntoView({ block: 'center' });
  }, [refusals, root]);

  const refuse = useCallback((wrong: FormErrors) => {
    setErrors(wrong);
    setRefusals((count) => count + 1);
  }, []);
  // Clears the errors of the fields that are being corrected.
  const right = useCallback((patch: Partial<FormErrors>) => {
    setErrors((now) => (now === NO_ERRORS ? now : { ...now, ...patch }));
  }, []);
  const rightRow = useCallback((key: string, patch: EntryDraft) => {
    setErrors((now) => (now === NO_ERRORS ? now : without(now, key, patch)));
  }, []);
  const rightAll = useCallback(() => setErrors(NO_ERRORS), []);
  return { errors, refuse, right, rightRow, rightAll };
}

/** Removes the errors of a row's changed fields, and the error of the group. */
function without(errors: FormErrors, key: string, patch: EntryDraft): FormErrors {
  const { [key]: row, ...others } = errors.rows;
  const left = Object.entries(row ?? {}).filter(([field]) => !(field in patch));
  return {
    ...errors,
    group: undefined,
    rows: left.length === 0 ? others : { ...others, [key]: Object.fromEntries(left) },
  };
}
