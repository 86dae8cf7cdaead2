import { Upload, UserPlus, Users } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Person } from '#shared/features/users/users.ts';
import { PEOPLE_MAX } from '#shared/features/users/users.vocabulary.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { ROLE_LABELS } from '#shared/permissions.ts';
import { searchKey } from '#shared/text/name-keys.ts';
import { usePermissions } from '../../lib/can.tsx';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Printable } from '../../ui/lists/printable.tsx';
import type { PrintedColumn } from '../../ui/lists/printed-list.tsx';
import { useMe } from '../session/session-context.ts';
import { LinkDialog } from './link-dialog.tsx';
import { people } from './people.live.ts';
import type { PersonAction } from './person-actions.ts';
import {
  AccountsDialog,
  ResetSecondFactorDialog,
  RoleHistoryDialog,
  SessionsDialog,
} from './person-dialogs.tsx';
import { SetupNotice } from './setup-notice.tsx';
import { type MadeLink, usePeopleCommands } from './use-people.ts';
import { UserCards } from './user-cards.tsx';

const InviteDialog = lazy(() => import('./invite-dialog.tsx'));
const SEARCH_FROM = 8;
const PRINTED: readonly PrintedColumn<Person>[] = [
  { isLong: true, name: 'Name', of: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { isLong: true, name: 'Email', of: ({ email }) => email },
  { name: 'Role', of: ({ role }) => (role === null ? 'No role' : ROLE_LABELS[role]) },
  {
    name: 'Buildings',
    of: ({ role, buildings }) => (role === 'admin' ? 'All' : buildings.length),
    isNumber: true,
  },
  {
    name: 'Account',
    of: ({ deactivatedAt, invitedAt }) =>
      deactivatedAt !== null ? 'Deactivated' : invitedAt !== null ? 'Invited' : 'Active',
  },
];

/** People with their roles and buildings. */
export function UsersTab() {
  const me = useMe();
  const { can } = usePermissions();
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  const needle = useDeferredValue(searchKey(search));
  const [setupCode, setSetupCode] = useState<string | undefined>(undefined);
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<MadeLink | undefined>(undefined);
  const [asked, setAsked] = useState<{ action: PersonAction; person: Person } | undefined>(undefined);
  const { data, status, error, refetch } = useLiveQuery(people, undefined);
  const { makeLink, setActive } = usePeopleCommands();
  const inSetup = me.setupMode && me.role !== 'admin';
  const lastAdminId = useMemo(() => lastAdminOf(data ?? []), [data]);
  const shown = useMemo(() => (data ?? []).filter((person) => matches(person, needle)), [data, needle]);

  function setSearch(next: string) {
    setParams(next === '' ? {} : { q: next }, { replace: true });
  }

  async function makeAnother({ userId: id, email }: MadeLink) {
    const another = await makeLink({ id, email });
    // On failure the dialog keeps showing the last link.
    if (another !== undefined) setLink(another);
  }

  async function ask(action: PersonAction, person: Person) {
    if (action === 'link') setLink(await makeLink(person));
    else if (action === 'reactivate') await setActive(person, true);
    else setAsked({ action, person });
  }

  return (
    <div className="grid gap-4 print:block">
      {inSetup && <SetupNotice onCode={setSetupCode} />}
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        {(data?.length ?? 0) >= SEARCH_FROM && (
          <SearchField
            label="Search users..."
            value={search}
            onChange={setSearch}
            className="w-full sm:w-72"
          />
        )}
        {can('view_users') && (
          <div className="flex gap-3 sm:ml-auto">
            {can('manage_users') && (
              <ButtonLink to="/import?kind=people">
                <Upload size={16} aria-hidden />
                Import
              </ButtonLink>
            )}
            <ExportLink list="people" filter={search.trim() === '' ? {} : { search: search.trim() }} />
            <PrintButton />
          </div>
        )}
        {can('manage_users') && (
          <Button variant="primary" className="max-sm:flex-1" onClick={() => setInviting(true)}>
            <UserPlus size={16} aria-hidden />
            {userMessages.invite}
          </Button>
        )}
      </div>
      {status === 'loading' && (
        <div className="grid gap-3 xl:grid-cols-2" aria-busy>
          {[0, 1, 2, 3].map((card) => (
            <Skeleton key={card} className="h-44 rounded-card" />
          ))}
        </div>
      )}
      {status === 'error' && (
        <ErrorState
          title={userMessages.fetchFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      )}
      {status === 'ready' && shown.length === 0 && (
        <EmptyState
          icon={<Users size={20} />}
          title={userMessages.noneMatch}
          action={<Button onClick={() => setSearch('')}>Clear Search</Button>}
        />
      )}
      {status === 'ready' && shown.length > 0 && (
        <Printable
          caption="Users"
          rows={shown}
          columns={PRINTED}
          counted={userMessages.count}
          filters={[search.trim() !== '' && `“${search.trim()}”`]}
        >
          <UserCards
            people={shown}
            setupCode={setupCode}
            lastAdminId={lastAdminId}
            onAsk={(action, person) => void ask(action, person)}
          />
        </Printable>
      )}
      {(data?.length ?? 0) >= PEOPLE_MAX && (
        <p className="py-2 text-center text-ink-2 text-sm">{userMessages.cut(PEOPLE_MAX)}</p>
      )}
      {inviting && (
        <Suspense fallback={null}>
          <InviteDialog
            onClose={() => setInviting(false)}
            onMade={(made) => {
              setInviting(false);
              setLink(made);
            }}
          />
        </Suspense>
      )}
      {link !== undefined && (
        <LinkDialog
          link={link}
          onClose={() => setLink(undefined)}
          onMakeAnother={() => void makeAnother(link)}
        />
      )}
      {asked !== undefined && (
        <AskedDialog
          action={asked.action}
          // The current state of the person, which may have changed since the menu was opened.
          person={data?.find((person) => person.id === asked.person.id) ?? asked.person}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function AskedDialog({
  action,
  person,
  onClose,
}: {
  action: PersonAction;
  person: Person;
  onClose: () => void;
}) {
  const { setActive, endSessions } = usePeopleCommands();
  const name = `${person.firstName} ${person.lastName}`;
  if (action === 'history') return <RoleHistoryDialog person={person} onClose={onClose} />;
  if (action === 'sessions') return <SessionsDialog person={person} onClose={onClose} />;
  if (action === 'accounts') return <AccountsDialog person={person} onClose={onClose} />;
  if (action === 'secondFactor') return <ResetSecondFactorDialog person={person} onClose={onClose} />;
  if (action === 'signOut') {
    return (
      <ConfirmDialog
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onClose={onClose}
        onConfirm={() => {
          onClose();
          void endSessions(person);
        }}
      >
        <p className="text-ink-2">{userMessages.signOutConfirm(name)}</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Deactivate ${name}?`}
      action="Deactivate"
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void setActive(person, false);
      }}
    >
      <p className="text-ink-2">{userMessages.deactivateConfirm(name)}</p>
    </ConfirmDialog>
  );
}

/**
 * Returns the only active administrator, if there is exactly one. The list contains all administrators, even when it is
 * truncated.
 */
function lastAdminOf(people: readonly Person[]): string | undefined {
  const admins = people.filter((person) => person.role === 'admin' && person.deactivatedAt === null);
  return admins.length === 1 ? admins[0]?.id : undefined;
}

function matches(person: Person, needle: string): boolean {
  return searchKey(`${person.firstName} ${person.lastName}\n${person.email}`).includes(needle);
}
