import { CheckCheck, Undo2 } from 'lucide-react';
import { Button } from '../../../ui/buttons/button.tsx';
import { type CheckDraft, filledAtOnce } from './check-draft.ts';
import type { EntryDraft } from './entry-draft.ts';
import type { FormSpec } from './form-spec.ts';
import { isFilled } from './form-specs.ts';
import type { CheckRow } from './rows/row-props.ts';

type Props = {
  formSpec: FormSpec;
  rows: readonly CheckRow[];
  draft: CheckDraft;
  onFillAll: (rows: readonly CheckRow[], filling: EntryDraft) => void;
  onUndoFill: (field: string) => void;
};

/**
 * Button that sets the good outcome for every row without one. Outcomes set by hand stay, and exceptions are marked
 * afterwards. The button is disabled rather than removed when no row is left, so that the layout does not shift under
 * the thumb.
 */
export function FillAll({ formSpec, rows, draft, onFillAll, onUndoFill }: Props) {
  const { fillAll, outcome } = formSpec;
  if (fillAll === undefined) return null;
  const here = rows.filter(({ gone, done }) => gone !== true && done !== true);
  const open = here.filter(({ id }) => !isFilled(draft.entries[id], formSpec));
  const canUndo = filledAtOnce(draft, Object.keys(draft.entries)) > 0;
  const some = open.length > 0 && open.length < here.length;
  return (
    // The second half of a double tap must not reach Undo, which appears next to the button.
    <div data-one-answer className="mb-2.5 flex gap-2">
      <Button
        size="lg"
        className="flex-1 aria-disabled:opacity-55"
        aria-disabled={open.length === 0}
        onClick={() => {
          if (open.length > 0) onFillAll(open, { [outcome.field]: fillAll.value });
        }}
      >
        <CheckCheck size={20} aria-hidden />
        {some ? fillAll.others : fillAll.label}
      </Button>
      {canUndo && (
        <Button size="lg" variant="quiet" onClick={() => onUndoFill(outcome.field)}>
          <Undo2 size={18} aria-hidden />
          Undo
        </Button>
      )}
    </div>
  );
}
