import { useState } from 'react';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import type { ProviderAccount } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { Person } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { ROLE_LABELS, ROLES } from '#shared/permissions.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { AccountState } from './account-state.tsx';
import { providerAccounts, roleHistory, sessionList } from './people.live.ts';
import { secondFactor } from './second-factor.live.ts';
import { SessionList } from './session-list.tsx';
import { usePeopleCommands } from './use-people.ts';

/** Dialog with all roles that a person was given, newest first. */
export function RoleHistoryDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { data, status, error, refetch } = useLiveQuery(roleHistory, { userId: person.id });
  return (
    <Dialog open onClose={onClose} title="Role history" subtitle={`${person.firstName} ${person.lastName}`}>
      {status === 'loading' && <Skeleton className="h-24" />}
      {status === 'error' && (
        <ErrorState
          title={userMessages.historyFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      )}
      {data?.length === 0 && <p className="text-ink-2">{userMessages.noHistory}</p>}
      <ol className="grid max-h-[60dvh] divide-y divide-line overflow-y-auto">
        {data?.map((entry) => (
          <li key={entry.id} className="flex flex-wrap items-baseline gap-x-3 py-2.5">
            <span className="font-medium">{labelOf(entry.role)}</span>
            <span className="text-ink-2 text-sm">
              {entry.by !== null && `by ${entry.by}, `}
              <RelativeTime at={entry.assignedAt} />
            </span>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function labelOf(stored: string): string {
  const role = ROLES.find((each) => each === stored);
  return role === undefined ? stored : ROLE_LABELS[role];
}

/** Dialog with a person's sessions, each with a button to end it. */
export function SessionsDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { endSessions } = usePeopleCommands();
  const { data, error, refetch } = useLiveQuery(sessionList, { userId: person.id });
  return (
    <Dialog open onClose={onClose} title="Sessions" subtitle={`${person.firstName} ${person.lastName}`}>
      <SessionList sessions={data} error={error} onRetry={refetch} onEnd={(id) => endSessions(person, id)} />
    </Dialog>
  );
}

/** Dialog that resets the second factor of a person who has lost the phone. */
export function ResetSecondFactorDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { resetSecondFactor } = usePeopleCommands();
  const { data, error, refetch } = useLiveQuery(secondFactor, { userId: person.id });
  const name = `${person.firstName} ${person.lastName}`;
  const isNone = data && data.state === null && data.passkeys === 0;
  return (
    <ConfirmDialog
      title={secondFactorMessages.resetQuestion}
      action="Reset"
      disabled={isNone !== false}
      onClose={onClose}
      onConfirm={async () => {
        if (await resetSecondFactor(person)) onClose();
      }}
    >
      {error ? (
        <ErrorState
          title={secondFactorMessages.stateFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      ) : (
        <p className="text-ink-2">
          {isNone ? secondFactorMessages.resetNone(name) : secondFactorMessages.resetText(name)}
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Dialog with a person's accounts at the organisation's providers, which can be allowed and unlinked. */
export function AccountsDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { data, status, error, refetch } = useLiveQuery(providerAccounts, { userId: person.id });
  return (
    <Dialog
      open
      onClose={onClose}
      title={signInMessages.accounts}
      subtitle={`${person.firstName} ${person.lastName}`}
    >
      {status === 'loading' && <Skeleton className="h-16" />}
      {status === 'error' && (
        <ErrorState
          title={signInMessages.accountsFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      )}
      <ul className="grid divide-y divide-line">
        {data?.map((account) => (
          <Account key={account.provider} person={person} account={account} />
        ))}
      </ul>
    </Dialog>
  );
}

function Account({ person, account }: { person: Person; account: ProviderAccount }) {
  const { setProvider } = usePeopleCommands();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { provider, name, state } = account;

  async function change(allowed: boolean) {
    setBusy(true);
    await setProvider(person, provider, allowed);
    setBusy(false);
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <AccountState account={account} />
      {state === 'none' ? (
        <Button
          aria-label={`${signInMessages.allow} ${name}`}
          disabled={busy}
          onClick={() => void change(true)}
        >
          {signInMessages.allow}
        </Button>
      ) : (
        <Button
          aria-label={`${signInMessages.unlink} ${name}`}
          disabled={busy}
          onClick={() => (state === 'linked' ? setAsking(true) : void change(false))}
        >
          {signInMessages.unlink}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={`${signInMessages.unlink} ${name}?`}
          action={signInMessages.unlink}
          onConfirm={async () => {
            await change(false);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        >
          {signInMessages.unlinkQuestion(`${person.firstName} ${person.lastName}`, name)}
        </ConfirmDialog>
      )}
    </li>
  );
}
