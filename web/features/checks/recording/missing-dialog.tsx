import { formMessages } from '#shared/features/checks/form-messages.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { formWordsOf } from '../kinds/form-vocabulary.ts';

type Props = {
  kind: CheckKind;
  /** How many rows have no result. */
  missing: number;
  onBack: () => void;
  onSave: () => void;
};

/** Asked once with each hand-in that leaves rows of the site without a result. */
export function MissingDialog({ kind, missing, onBack, onSave }: Props) {
  const { one, many } = CHECK_VOCABULARY[kind].subject;
  const subject = (missing === 1 ? one : many).toLowerCase();
  const left = formWordsOf(kind).everyRow === true ? formMessages.notAttempted : formMessages.leftOut;
  return (
    <Dialog open size="sm" title={formMessages.missing(missing, subject)} onClose={onBack}>
      <p>{left(missing)}</p>
      <DialogActions>
        <Button onClick={onSave}>Save anyway</Button>
        <Button variant="primary" onClick={onBack}>
          Go back
        </Button>
      </DialogActions>
    </Dialog>
  );
}
