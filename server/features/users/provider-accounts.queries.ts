import { eq } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import type { ProviderAccount } from '#shared/features/users/sign-in.ts';
import { oldestPermission } from '../../accounts/identities.ts';
import type { SignIn } from '../../kernel/sign-in/sign-in.ts';

/** Lists the state of a person's account at each configured provider. */
export async function listProviderAccounts(
  db: Queryable,
  { settings }: Pick<SignIn, 'settings'>,
  userId: string,
  now: string,
): Promise<ProviderAccount[]> {
  const rows = await db.select().from(externalIdentities).where(eq(externalIdentities.userId, userId));
  return settings.providers.map(({ id, name }) => {
    const row = rows.find(({ provider }) => provider === id);
    const isOld = row?.subject === null && row.createdAt < oldestPermission(now);
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
