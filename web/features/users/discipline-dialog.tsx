import { type FormEvent, useState } from 'react';
import type { Discipline } from '#shared/features/disciplines.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDisciplineCommands } from './use-disciplines.ts';

/**
 * Dialog that adds a discipline, or renames the given one. A blank name does nothing. When another person has renamed
 * it meanwhile, the new name is shown and saving again overwrites it.
 */
export function DisciplineDialog({ discipline, onClose }: { discipline?: Discipline; onClose: () => void }) {
  const { add, rename } = useDisciplineCommands();
  const before = discipline?.name ?? '';
  const [name, setName] = useState(before);
  const [seen, setSeen] = useState(before);
  const [error, setError] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '' || busy) return;
    setBusy(true);
    const refused = await (discipline === undefined
      ? add(wanted)
      : rename({ ...discipline, name: seen }, wanted));
    setBusy(false);
    if (refused === undefined) {
      onClose();
      return;
    }
    setError(refused.text);
    if (refused.nameNow !== undefined) setSeen(refused.nameNow);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={discipline === undefined ? 'Add Discipline' : 'Edit Discipline'}
      dirty={name.trim() !== before}
      size="sm"
    >
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={busy}>
        <TextField
          label="Discipline Name"
          value={name}
          maxLength={80}
          autoFocus
          autoComplete="off"
          error={error}
          onChange={(event) => {
            setName(event.target.value);
            setError(undefined);
          }}
        />
        <DialogActions>
          <CancelButton />
          <Button type="submit" variant="primary" disabled={busy}>
            {discipline === undefined ? 'Add Discipline' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
