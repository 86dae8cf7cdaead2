import type { Transaction } from '#db/client.ts';
import { findPerson } from '../../access/people.ts';
import { linkAccount } from '../../accounts/identities.ts';
import type { Context } from '../../kernel/context.ts';
import { readPending } from './pending-link.ts';
import { publishLinked } from './publish-linked.ts';

/**
 * Links the pending external account of a person, in the transaction of a sign-in.
 * @param how.linking the provider that the page has named. The cookie alone is not enough: the person may not know of it
 * @returns the provider's id; undefined if nothing was linked
 */
export async function linkPending(
  tx: Transaction,
  { services, pendingLink }: Context,
  {
    userId,
    linking,
    linkedBy,
  }: { userId: string; linking: string | undefined; linkedBy: 'password' | 'passkey' },
): Promise<string | undefined> {
  const pending = linking === undefined ? undefined : readPending(services, pendingLink);
  const person = pending && (await findPerson(tx, userId));
  if (pending === undefined || pending.provider !== linking || person?.email.toLowerCase() !== pending.email)
    return undefined;
  const at = services.clock.now().toISOString();
  const provider = services.signIn.providers.settingsOf(pending.provider);
  if (provider === undefined) return undefined;
  if (!(await linkAccount(tx, userId, pending, { linkedBy, at }))) return undefined;
  await publishLinked(tx, userId, { provider: provider.name, command: 'session.signIn', at });
  return provider.id;
}
