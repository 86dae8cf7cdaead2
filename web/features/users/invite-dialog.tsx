import { useState } from 'react';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { ROLE_OPTIONS, ROLES, type Role } from '#shared/permissions.ts';
import { CommandForm } from '../../forms/command-form.tsx';
import { FormActions } from '../../forms/form-actions.tsx';
import { useCommandForm } from '../../forms/use-command-form.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { EmailField } from '../../ui/fields/email-field.tsx';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SomeBuildings } from '../locations/some-buildings.tsx';
import type { MadeLink } from './use-people.ts';

const BLANK = {
  email: '',
  firstName: '',
  lastName: '',
  role: 'viewer' as Role,
  buildingIds: [] as readonly string[],
};

/** Dialog that invites a person with name, role and buildings. The result is a one-time link. */
export default function InviteDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (link: MadeLink) => void;
}) {
  const { mutate } = useLiveMutation();
  // The same id for every attempt, so that a second attempt does not create a second person.
  const [blank] = useState(() => ({ id: uuidv7(), ...BLANK }));
  const form = useCommandForm({
    blank,
    schema: async () =>
      (await import('#shared/features/users/users.ts')).inviteInput.omit({ operationId: true }),
    async send(input) {
      const made = await mutate({
        input,
        send: (whole, context) => api.users.invite.mutate(whole, context),
      });
      // Called even if the dialog was closed in the meantime, because the link is shown only once.
      const { id: userId, kind, expiresAt, mailed, token } = made;
      onMade({ userId, kind, token, expiresAt, mailed, email: input.email });
    },
    about: (_made, { firstName, lastName }) => `${firstName} ${lastName}`,
    success: userMessages.invited,
    failure: userMessages.inviteFailed,
  });
  const { role, buildingIds } = form.values;

  return (
    <Dialog open onClose={onClose} title={userMessages.invite}>
      <CommandForm form={form}>
        <fieldset disabled={form.busy} className="grid min-w-0 gap-4">
          <legend className="sr-only">{userMessages.invite}</legend>
          <EmailField autoComplete="off" {...form.text('email')} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="First name" autoComplete="off" {...form.text('firstName')} />
            <TextField label="Last name" autoComplete="off" {...form.text('lastName')} />
          </div>
          <SelectField label="Role" {...form.choice('role', ROLES)}>
            <Options values={ROLES} labels={ROLE_OPTIONS} />
          </SelectField>
          {role === 'admin' ? (
            <p className="text-ink-2 text-sm">{userMessages.adminAccess}</p>
          ) : (
            <SomeBuildings value={buildingIds} onChange={(ids) => form.set('buildingIds', ids)} />
          )}
        </fieldset>
        <FormActions form={form} action="Invite" pending="Inviting..." />
      </CommandForm>
    </Dialog>
  );
}
