import { eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import type { ProviderAccount } from '#shared/features/users/sign-in.ts';
import { oldestPermission } from '../../accounts/identities.ts';
import type { Services } from '../../kernel/context.ts';

/** Lists the state of a person's account at each configured provider. */
export async function listProviderAccounts(
  db: Queryable,
  { signIn, clock }: Pick<Services, 'signIn' | 'clock'>,
  userId: string,
): Promise<ProviderAccount[]> {
  const oldest = oldestPermission(clock.now().toISOString());
  const rows = await db.select().from(externalIdentities).where(eq(externalIdentities.userId, userId));
  return signIn.settings.providers.map(({ id, name }) => {
    const row = rows.find(({ provider }) => provider === id);
    const isOld = row?.subject === null && row.createdAt < oldest;
    const state = row === undefined || isOld ? 'none' : row.subject === null ? 'allowed' : 'linked';
    return {
      provider: id,
      name,
      state,
      linkedBy: row?.linkedBy ?? null,
      lastUsedAt: row?.lastUsedAt ?? null,
    };
  });
}
