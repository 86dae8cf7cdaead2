import { type ComponentProps, use, useLayoutEffect } from 'react';
import { DialogContext } from '../ui/dialogs/dialog-context.ts';
import type { Form } from './use-command-form.ts';

export type AnyForm = Pick<Form<object>, 'ref' | 'onSubmit' | 'prepare' | 'busy' | 'dirty'>;
type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & {
  form: AnyForm;
  /** Set if closing would lose something other than the values of the fields. */
  dirty?: boolean;
};

/** The form element of `useCommandForm` and `useRowForm`. A dialog around it asks before it discards typed values. */
export function CommandForm({ form, dirty = form.dirty, ...rest }: Props) {
  const dialog = use(DialogContext);
  const setDirty = dialog?.setDirty;
  const isAtStake = dirty && !form.busy;
  useLayoutEffect(() => {
    setDirty?.(isAtStake);
    return () => setDirty?.(false);
  }, [setDirty, isAtStake]);
  return (
    <form
      ref={form.ref}
      noValidate
      onSubmit={form.onSubmit}
      onFocus={form.prepare}
      aria-busy={form.busy}
      {...rest}
    />
  );
}
