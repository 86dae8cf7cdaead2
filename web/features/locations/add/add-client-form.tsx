import { createClientInput } from '#shared/features/locations/locations.inputs.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { CommandForm } from '../../../forms/command-form.tsx';
import { useCommandForm } from '../../../forms/use-command-form.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { usePlaceCommands } from '../use-place-commands.ts';

const schema = createClientInput.omit({ operationId: true });
const BLANK = { name: '' };

/** Form that adds a client by name. */
export function AddClientForm({ onAdded }: { onAdded: (id: string) => void }) {
  const { addClient } = usePlaceCommands();
  const form = useCommandForm({
    blank: BLANK,
    schema,
    send: ({ name }) => addClient(name),
    about: (_answer, { name }) => name,
    success: placeMessages.clientAdded,
    failure: placeMessages.clientAddFailed,
    onSent: ({ id }) => onAdded(id),
  });
  return (
    <CommandForm form={form} className="grid gap-4">
      <TextField label="Client Name" autoComplete="off" {...form.text('name')} />
      <Button type="submit" variant="primary">
        {form.busy ? 'Adding...' : 'Add Client'}
      </Button>
    </CommandForm>
  );
}
