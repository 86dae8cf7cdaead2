import { Ellipsis } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Person } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { ROLE_LABELS, ROLE_OPTIONS, ROLES, type Role } from '#shared/permissions.ts';
import { usePermissions } from '../../lib/can.tsx';
import { useHighlight } from '../../live/hooks/use-highlight.ts';
import { usePending } from '../../live/hooks/use-pending.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { cx } from '../../ui/cx.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Menu } from '../../ui/dialogs/menu.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { PendingDot } from '../../ui/feedback/pending-dot.tsx';
import { Options, SelectField } from '../../ui/fields/select-field.tsx';
import { LocationAccess } from '../locations/location-access.tsx';
import { roleColour, roleTone } from '../session/role-colours.ts';
import { useMe, useSession } from '../session/session-context.ts';
import { useSignInOptions } from '../session/use-sign-in-options.ts';
import { menuOf, type PersonAction } from './person-actions.ts';
import { rememberSetupCode } from './setup-code.ts';
import { usePeopleCommands } from './use-people.ts';

type Props = {
  person: Person;
  setupCode: string | undefined;
  /** This person is the only active administrator. */
  isLastAdmin: boolean;
  onAsk: (action: PersonAction, person: Person) => void;
};

/** Card of one person with role, buildings and a menu of actions. */
export function UserCard({ person, setupCode, isLastAdmin, onAsk }: Props) {
  const me = useMe();
  const { reload } = useSession();
  const { can } = usePermissions();
  const { setRole, setAccess } = usePeopleCommands();
  const pending = usePending('person', person.id);
  const glow = useHighlight('person', person.id);
  const [steppingDown, setSteppingDown] = useState<Role | null>(null);
  const hasProviders = (useSignInOptions()?.providers.length ?? 0) > 0;
  const granted = useMemo(() => new Set(person.buildings), [person.buildings]);

  const self = person.id === me.id;
  const manages = can('manage_users');
  const claims = !manages && self && me.setupMode;
  const name = `${person.firstName} ${person.lastName}`;

  async function change(role: Role) {
    const done = await setRole(person, role, claims ? setupCode : undefined);
    if (done && claims) {
      rememberSetupCode(undefined);
      await reload();
    }
  }

  return (
    <article
      aria-label={name}
      className={cx(
        'grid grid-cols-1 gap-3.5 rounded-card border border-line bg-surface p-4',
        glow !== undefined && 'glow',
      )}
    >
      <div className="flex items-start gap-3">
        <Avatar letter={person.email.charAt(0)} colour={roleColour(person.role)} size="lg" />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold [overflow-wrap:anywhere]">
            {name} {self && <span className="font-normal text-ink-2">{userMessages.you}</span>}
          </h2>
          <p className="text-ink-2 text-sm">
            <EmailText email={person.email} />
          </p>
        </div>
        {pending && <PendingDot />}
        <div className="flex flex-wrap justify-end gap-1">
          {person.deactivatedAt !== null && <Badge tone="bad">Deactivated</Badge>}
          {person.invitedAt !== null && person.deactivatedAt === null && <Badge tone="due">Invited</Badge>}
          {person.role === null ? (
            <Badge>No role</Badge>
          ) : (
            <Badge tone={roleTone(person.role)}>{ROLE_LABELS[person.role]}</Badge>
          )}
        </div>
        {manages && (
          <div className="-mt-1.5 -mr-2">
            <Menu
              label={`Actions for ${name}`}
              buttonClassName="inline-grid size-9 place-items-center rounded-control text-ink-2 hover:bg-mute pointer-coarse:size-12"
              button={<Ellipsis size={18} aria-hidden />}
              groups={menuOf(person, self, (action) => onAsk(action, person), hasProviders)}
            />
          </div>
        )}
      </div>
      <SelectField
        label="Role"
        value={person.role ?? ''}
        disabled={!manages && !claims}
        onChange={(event) => {
          const role = ROLES.find((each) => each === event.target.value);
          if (role === undefined) return;
          // The server refuses to demote the last administrator, so no confirmation is needed.
          if (self && manages && role !== 'admin' && !isLastAdmin) setSteppingDown(role);
          else void change(role);
        }}
      >
        {person.role === null && <option value="">Choose a role...</option>}
        <Options values={ROLES} labels={ROLE_OPTIONS} />
      </SelectField>
      {manages && person.role === 'admin' && (
        <div>
          <h3 className="font-medium text-sm">Location Access</h3>
          <p className="mt-1 text-ink-2 text-sm">{userMessages.adminAccess}</p>
        </div>
      )}
      {manages && person.role !== 'admin' && (
        <LocationAccess
          granted={granted}
          onChange={(buildingIds, grant) => void setAccess(person, buildingIds, grant)}
        />
      )}
      {steppingDown !== null && (
        <ConfirmDialog
          title="Change your own role?"
          action="Change my role"
          onConfirm={() => {
            setSteppingDown(null);
            void change(steppingDown);
          }}
          onClose={() => setSteppingDown(null)}
        >
          <p className="text-ink-2">{userMessages.stepDown(ROLE_LABELS[steppingDown])}</p>
        </ConfirmDialog>
      )}
    </article>
  );
}
