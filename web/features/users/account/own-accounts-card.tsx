import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Card } from '../../../ui/card.tsx';
import { useMe } from '../../session/session-context.ts';
import { AccountState } from '../account-state.tsx';
import { providerAccounts } from '../people.live.ts';

/** The person's own accounts at the organisation's providers; renders nothing without a provider. */
export function OwnAccountsCard() {
  const { id: userId } = useMe();
  const { data = [] } = useLiveQuery(providerAccounts, { userId, own: true });
  if (data.length === 0) return null;
  return (
    <Card className="p-5">
      <h2 className="mb-2 font-semibold text-md">{signInMessages.accounts}</h2>
      <ul className="grid gap-3">
        {data.map((account) => (
          <li key={account.provider}>
            <AccountState account={account} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
