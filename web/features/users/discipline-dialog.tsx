import { type FormEvent, useState } from 'react';
import type { Discipline } from '#shared/features/disciplines.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDisciplineCommands } from './use-disciplines.ts';

/** Adds a discipline, or renames the given one. A blank name does nothing. */
export function DisciplineDialog({ discipline, onClose }: { discipline?: Discipline; onClose: () => void }) {
  const { add, rename } = useDisciplineCommands();
  const before = discipline?.name ?? '';
  const [name, setName] = useState(before);
  const [error, setError] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '' || busy) return;
    setBusy(true);
    const problem = await (discipline === undefined ? add(wanted) : rename(discipline, wanted));
    setBusy(false);
    if (problem === undefined) onClose();
    else setError(problem);
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
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={busy}>
            {discipline === undefined ? 'Add Discipline' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
