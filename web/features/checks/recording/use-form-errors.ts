import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { EntryDraft } from '../kinds/check-draft.ts';
import { type FormErrors, NO_ERRORS } from '../kinds/validate-visit.ts';

/** What is wrong with a form, until it is put right; each refusal leads to the first of it. */
export function useFormErrors(root: RefObject<HTMLElement | null>) {
  const [errors, setErrors] = useState(NO_ERRORS);
  const [refusals, setRefusals] = useState(0);

  // Once for each refusal: what is put right afterwards must not take the focus away.
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
  // What is being put right no longer needs to be told.
  const right = useCallback((patch: Partial<FormErrors>) => {
    setErrors((now) => (now === NO_ERRORS ? now : { ...now, ...patch }));
  }, []);
  const rightRow = useCallback((key: string, patch: EntryDraft) => {
    setErrors((now) => (now === NO_ERRORS ? now : without(now, key, patch)));
  }, []);
  const rightAll = useCallback(() => setErrors(NO_ERRORS), []);
  return { errors, refuse, right, rightRow, rightAll };
}

/** The errors without those of the fields that have just changed. */
function without(errors: FormErrors, key: string, patch: EntryDraft): FormErrors {
  const { [key]: row, ...others } = errors.rows;
  const left = Object.entries(row ?? {}).filter(([field]) => !(field in patch));
  return {
    ...errors,
    group: undefined,
    rows: left.length === 0 ? others : { ...others, [key]: Object.fromEntries(left) },
  };
}
