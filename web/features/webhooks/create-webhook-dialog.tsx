import { useState } from 'react';
import type { BuildingsChoice } from '#shared/buildings-choice.ts';
import type { ApiPermission } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import { newWebhookInput } from '#shared/features/webhooks/webhooks.ts';
import {
  permissionsFor,
  subjectsOf,
  WEBHOOK_SUBJECTS,
} from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { capitalise } from '#shared/text/capitalise.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ShownOnce } from '../../ui/dialogs/shown-once.tsx';
import { CheckField } from '../../ui/fields/check-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { BuildingsFields } from '../locations/buildings-fields.tsx';
import { makeSecret } from './make-secret.ts';
import { useWebhookCommands } from './use-webhook-commands.ts';

type Fields = BuildingsChoice & {
  name: string;
  url: string;
  permissions: readonly ApiPermission[];
};

const BLANK: Fields = { name: '', url: '', permissions: [], allBuildings: true, buildingIds: [] };

/** Dialog that adds a webhook and then shows its signing secret, once. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog open onClose={onClose} title={words.createTitle}>
      {secret === undefined ? (
        <CreateForm onCreated={setSecret} />
      ) : (
        <ShownOnce text={words.secretShownOnce} secret={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

function CreateForm({ onCreated }: { onCreated: (secret: string) => void }) {
  const { create } = useWebhookCommands();
  // Generated once, so that a second try after a lost response creates the same webhook.
  const [{ id, secret }] = useState(() => ({ id: uuidv7(), secret: makeSecret() }));
  const form = useCommandForm({
    blank: BLANK,
    schema: newWebhookInput,
    input: (values) => ({ ...values, id, secret }),
    send: create,
    failure: words.createFailed,
    onSent: () => onCreated(secret),
  });
  const { permissions } = form.values;
  const subjects = subjectsOf(permissions);
  return (
    <CommandForm form={form}>
      <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
        <legend className="sr-only">{words.createTitle}</legend>
        <TextField label="Name" autoComplete="off" placeholder="Helpdesk" {...form.text('name')} />
        <TextField
          label="Address"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://helpdesk.example.com/hooks/lintel"
          {...form.text('url')}
        />
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium text-sm">{words.subjects}</legend>
          {WEBHOOK_SUBJECTS.map(({ name }) => (
            <CheckField
              key={name}
              label={capitalise(name)}
              checked={subjects.includes(name)}
              onChange={(checked) => {
                const others = subjects.filter((one) => one !== name);
                form.set('permissions', permissionsFor(checked ? [...others, name] : others));
              }}
            />
          ))}
          {form.errors['permissions'] !== undefined && (
            <p className="text-bad text-sm" role="alert">
              {form.errors['permissions']}
            </p>
          )}
        </fieldset>
        <BuildingsFields form={form} />
        <p className="text-ink-2 text-sm">{words.inYourName}</p>
      </fieldset>
      <FormActions form={form} action={words.create} pending="Adding..." />
    </CommandForm>
  );
}
