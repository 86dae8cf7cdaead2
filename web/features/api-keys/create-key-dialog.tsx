import { useMemo, useState } from 'react';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import { newApiKeyInput } from '#shared/features/api-keys/api-keys.ts';
import {
  API_KEY_DAYS,
  API_PERMISSION_CHOICES,
  API_PERMISSIONS,
  type ApiPermission,
} from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { LocationAccess } from '../locations/location-access.tsx';
import { CreatedKey } from './created-key.tsx';
import { hashOfKey, makeKey } from './make-key.ts';
import { useApiKeyCommands } from './use-api-key-commands.ts';

type Fields = {
  name: string;
  permissions: readonly ApiPermission[];
  allBuildings: boolean;
  buildingIds: readonly string[];
  days: (typeof API_KEY_DAYS)[number];
};

const BLANK: Fields = { name: '', permissions: [], allBuildings: true, buildingIds: [], days: 90 };
const DAYS_LABELS: Readonly<Record<Fields['days'], string>> = {
  30: '30 days',
  90: '90 days',
  365: 'One year',
};

/** Dialog that creates a key of the API and then shows it, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<string>();
  return (
    <Dialog open onClose={onClose} title={apiKeyMessages.createTitle}>
      {created === undefined ? (
        <CreateForm onCreated={setCreated} />
      ) : (
        <CreatedKey apiKey={created} onDone={onClose} />
      )}
    </Dialog>
  );
}

function CreateForm({ onCreated }: { onCreated: (key: string) => void }) {
  const { create } = useApiKeyCommands();
  // Made once, so that a second try after a lost answer is about the same key.
  const [{ id, key }] = useState(() => ({ id: uuidv7(), key: makeKey() }));
  const form = useCommandForm({
    blank: BLANK,
    // The hash is added when the form is sent: it takes a moment.
    schema: newApiKeyInput,
    input: (values) => ({ ...values, id, hash: '0'.repeat(64) }),
    send: async (input) => create({ ...input, hash: await hashOfKey(key) }),
    failure: apiKeyMessages.createFailed,
    onSent: () => onCreated(key),
  });
  const { name, permissions, allBuildings, buildingIds, days } = form.values;
  const granted = useMemo(() => new Set(buildingIds), [buildingIds]);
  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
        <legend className="sr-only">{apiKeyMessages.createTitle}</legend>
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          placeholder="Monthly report"
          value={name}
          onChange={({ target }) => form.set('name', target.value)}
          error={form.errors['name']}
        />
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium text-sm">Permissions</legend>
          {API_PERMISSION_CHOICES.map(({ label, permissions: given }) => (
            <CheckField
              key={label}
              label={label}
              checked={given.every((one) => permissions.includes(one))}
              onChange={(on) => form.set('permissions', withChoice(permissions, given, on))}
            />
          ))}
          {form.errors['permissions'] !== undefined && (
            <p className="text-bad text-sm" role="alert">
              {form.errors['permissions']}
            </p>
          )}
        </fieldset>
        <SelectField
          label="Buildings"
          name="buildingIds"
          value={allBuildings ? 'all' : 'some'}
          onChange={({ target }) => form.set('allBuildings', target.value === 'all')}
          error={form.errors['buildingIds']}
        >
          <option value="all">All buildings, including those added later</option>
          <option value="some">Only these</option>
        </SelectField>
        {!allBuildings && (
          <LocationAccess
            granted={granted}
            onChange={(ids, grant) => {
              const next = new Set(granted);
              for (const one of ids) grant ? next.add(one) : next.delete(one);
              form.set('buildingIds', [...next]);
            }}
          />
        )}
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

function withChoice(
  permissions: readonly ApiPermission[],
  given: readonly ApiPermission[],
  on: boolean,
): ApiPermission[] {
  return API_PERMISSIONS.filter((one) => (given.includes(one) ? on : permissions.includes(one)));
}
