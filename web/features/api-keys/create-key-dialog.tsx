import { useState } from 'react';
import type { BuildingsChoice } from '#shared/buildings-choice.ts';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import { newApiKeyInput } from '#shared/features/api-keys/api-keys.ts';
import {
  API_KEY_DAYS,
  API_SUBJECTS,
  type ApiPermission,
  accessesOf,
  accessLabelsOf,
  accessTo,
  withAccess,
} from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { capitalise } from '#shared/text/capitalise.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ShownOnce } from '../../ui/dialogs/shown-once.tsx';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { BuildingsFields } from '../locations/buildings-fields.tsx';
import { hashOfKey, makeKey } from './make-key.ts';
import { useApiKeyCommands } from './use-api-key-commands.ts';

type Fields = BuildingsChoice & {
  name: string;
  permissions: readonly ApiPermission[];
  days: (typeof API_KEY_DAYS)[number];
};

const BLANK: Fields = { name: '', permissions: [], allBuildings: true, buildingIds: [], days: 90 };
const DAYS_LABELS: Readonly<Record<Fields['days'], string>> = {
  30: '30 days',
  90: '90 days',
  365: 'One year',
};

/** Dialog that creates an API key and then shows it, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<string>();
  return (
    <Dialog open onClose={onClose} title={apiKeyMessages.createTitle}>
      {created === undefined ? (
        <CreateForm onCreated={setCreated} />
      ) : (
        <ShownOnce text={apiKeyMessages.shownOnce} secret={created} onDone={onClose} />
      )}
    </Dialog>
  );
}

function CreateForm({ onCreated }: { onCreated: (key: string) => void }) {
  const { create } = useApiKeyCommands();
  // Generated once, so that a second try after a lost response sends the same key.
  const [{ id, key }] = useState(() => ({ id: uuidv7(), key: makeKey() }));
  const form = useCommandForm({
    blank: BLANK,
    // `input` sets a placeholder; the real hash is computed when the form is sent, because hashing is asynchronous.
    schema: newApiKeyInput,
    input: (values) => ({ ...values, id, hash: '0'.repeat(64) }),
    send: async (input) => create({ ...input, hash: await hashOfKey(key) }),
    failure: apiKeyMessages.createFailed,
    onSent: () => onCreated(key),
  });
  const { permissions, days } = form.values;
  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
        <legend className="sr-only">{apiKeyMessages.createTitle}</legend>
        <TextField label="Name" autoComplete="off" placeholder="Monthly report" {...form.text('name')} />
        <fieldset className="grid gap-4 sm:grid-cols-2">
          <legend className="sr-only">Permissions</legend>
          {API_SUBJECTS.map((subject) => (
            <SelectField
              key={subject.name}
              label={capitalise(subject.name)}
              value={accessTo(subject, permissions)}
              onChange={({ target }) => {
                const access = accessesOf(subject).find((one) => one === target.value) ?? 'none';
                form.set('permissions', withAccess(permissions, subject, access));
              }}
            >
              <Options values={accessesOf(subject)} labels={accessLabelsOf(subject)} />
            </SelectField>
          ))}
          {form.errors['permissions'] !== undefined && (
            <p className="text-bad text-sm sm:col-span-2" role="alert">
              {form.errors['permissions']}
            </p>
          )}
        </fieldset>
        <BuildingsFields form={form} />
        <SelectField
          label="Valid for"
          name="days"
          value={String(days)}
          onChange={({ target }) =>
            form.set('days', API_KEY_DAYS.find((one) => String(one) === target.value) ?? BLANK.days)
          }
        >
          <Options values={API_KEY_DAYS} labels={DAYS_LABELS} />
        </SelectField>
        <p className="text-ink-2 text-sm">{apiKeyMessages.inYourName}</p>
      </fieldset>
      <FormActions form={form} action={apiKeyMessages.create} pending="Creating..." />
    </CommandForm>
  );
}
