import { useRef, useState } from 'react';
import { userMessages } from '#shared/features/users-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { ROLE_OPTIONS, ROLES, type Role } from '#shared/permissions.ts';
import { messageFor } from '../../lib/message-for.ts';
import { api } from '../../lib/trpc.ts';
import { useCheckedForm } from '../../lib/use-checked-form.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { useLiveMutation } from '../../live/use-live-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { CancelButton } from '../../ui/cancel-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { LocationAccess } from './location-access.tsx';
import type { MadeLink } from './use-people.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** Dialog that invites a person with name, role and buildings. The result is a one-time link. */
export default function InviteDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (link: MadeLink) => void;
}) {
  const { mutate } = useLiveMutation();
  const [role, setRole] = useState<Role>('viewer');
  const [granted, setGranted] = useState(NOTHING);
  const [dirty, setDirty] = useState(false);
  // The same id for every attempt, so that a second one does not create a second person.
  const own = useRef({ id: uuidv7() });
  const { form, busy, errors, onSubmit } = useCheckedForm({
    schema: async () => (await import('#shared/features/users.ts')).inviteInput.omit({ operationId: true }),
    values: (entries) => ({
      ...own.current,
      email: entries['email'],
      firstName: entries['firstName'],
      lastName: entries['lastName'],
      role,
      buildingIds: [...granted],
    }),
    async send(input) {
      const made = await mutate({
        input,
        send: (whole, context) => api.users.invite.mutate(whole, context),
      });
      toast({ title: messages.common.success, text: userMessages.invited });
      const { id: userId, kind, expiresAt, mailed, token } = made;
      onMade({ userId, kind, token, expiresAt, mailed, email: input.email });
    },
    onFailed(error) {
      if (wireErrorOf(error)?.code === 'invalid') return;
      const text = messageFor(error, userMessages.inviteFailed);
      toast({ title: messages.common.error, text, tone: 'destructive' });
    },
  });

  return (
    <Dialog open onClose={onClose} title={userMessages.invite} dirty={dirty}>
      <form ref={form} noValidate onSubmit={onSubmit} onChange={() => setDirty(true)} aria-busy={busy}>
        <fieldset disabled={busy} className="grid min-w-0 gap-4">
          <legend className="sr-only">{userMessages.invite}</legend>
          <TextField
            label="Email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={errors['email']}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="First name" name="firstName" autoComplete="off" error={errors['firstName']} />
            <TextField label="Last name" name="lastName" autoComplete="off" error={errors['lastName']} />
          </div>
          <SelectField
            label="Role"
            value={role}
            onChange={(event) => setRole(ROLES.find((each) => each === event.target.value) ?? 'viewer')}
          >
            {ROLES.map((each) => (
              <option key={each} value={each}>
                {ROLE_OPTIONS[each]}
              </option>
            ))}
          </SelectField>
          {role === 'admin' ? (
            <p className="text-ink-2 text-sm">{userMessages.adminAccess}</p>
          ) : (
            <LocationAccess
              granted={granted}
              onChange={(ids, grant) => {
                setDirty(true);
                setGranted((now) => {
                  const next = new Set(now);
                  for (const id of ids) grant ? next.add(id) : next.delete(id);
                  return next;
                });
              }}
            />
          )}
        </fieldset>
        <DialogActions>
          <CancelButton />
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? 'Inviting...' : 'Invite'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
