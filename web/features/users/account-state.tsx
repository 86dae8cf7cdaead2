import type { ProviderAccount } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { RelativeTime } from '../../ui/feedback/relative-time.tsx';

/** Name and state of an account at a provider: how it was linked, and when it was last used. */
export function AccountState({ account }: { account: ProviderAccount }) {
  const { name, state, linkedBy, lastUsedAt } = account;
  return (
    <div className="min-w-0">
      <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
      <p className="text-ink-2 text-sm">
        {signInMessages.states[state]}
        {state === 'linked' && linkedBy !== null && ` ${signInMessages.linkedBys[linkedBy]}`}
        {lastUsedAt !== null && (
          <>
            {`; ${signInMessages.lastUsed.toLowerCase()} `}
            <RelativeTime at={lastUsedAt} />
          </>
        )}
      </p>
    </div>
  );
}
