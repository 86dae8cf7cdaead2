import { useState } from 'react';
import { messages } from '#shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toastSuccess } from './toasts.ts';
import { usePlaceCommands } from './use-place-commands.ts';
import { useSubmit } from './use-submit.ts';

/** Form that adds a client by name. */
export function AddClientForm({ onAdded }: { onAdded: (id: string) => void }) {
  const [name, setName] = useState('');
  const { addClient } = usePlaceCommands();
  const { form, wrong, busy, onSubmit } = useSubmit(messages.locations.clientAddFailed, async () => {
    const { id } = await addClient(name);
    setName('');
    toastSuccess(messages.locations.clientAdded);
    onAdded(id);
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      <TextField
        label="Client Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={wrong['name']}
        maxLength={200}
        autoComplete="off"
      />
      <Button type="submit" variant="primary">
        {busy ? 'Adding...' : 'Add Client'}
      </Button>
    </form>
  );
}
