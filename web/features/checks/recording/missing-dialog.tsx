import { formMessages } from '#shared/features/checks/form-messages.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { formSpecOf } from '../kinds/form-specs.ts';

type Props = {
  kind: CheckKind;
  /** Number of rows without a result. */
  missing: number;
  onBack: () => void;
  onSave: () => void;
};

/** Asks for confirmation when a submitted form leaves rows without a result. */
export function MissingDialog({ kind, missing, onBack, onSave }: Props) {
  const { one, many } = CHECK_VOCABULARY[kind].subject;
  const subject = (missing === 1 ? one : many).toLowerCase();
  const left = formSpecOf(kind).everyRow === true ? formMessages.notAttempted : formMessages.leftOut;
  return (
    <ConfirmDialog
      title={formMessages.missing(missing, subject)}
      action="Save anyway"
      variant="secondary"
      cancel="Go back"
      onConfirm={onSave}
      onClose={onBack}
    >
      <p>{left(missing)}</p>
    </ConfirmDialog>
  );
}
