import { Button } from '../ui/buttons/button.tsx';
import type { ButtonVariant } from '../ui/buttons/button-style.ts';
import { CancelButton } from '../ui/dialogs/cancel-button.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import type { AnyForm } from './command-form.tsx';

type Props = {
  form: Pick<AnyForm, 'busy'>;
  /** Label of the main action, and its label while the form is busy. */
  action: string;
  pending?: string;
  variant?: ButtonVariant;
  cancel?: string;
  disabled?: boolean;
};

/** The foot of a form in a dialog: Cancel and the main action. */
export function FormActions({
  form,
  action,
  pending = action,
  variant = 'primary',
  cancel = 'Cancel',
  disabled = false,
}: Props) {
  return (
    <DialogActions>
      <CancelButton label={cancel} />
      <Button type="submit" variant={variant} disabled={form.busy || disabled}>
        {form.busy ? pending : action}
      </Button>
    </DialogActions>
  );
}
