import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import type { LinkedBy } from '#shared/features/users/sign-in.ts';
import { uuidv7 } from '#shared/ids.ts';

/** An account at a provider. */
export type Account = { provider: string; subject: string };

/** Finds the person of an account. */
export async function personOfAccount(
  db: Queryable,
  { provider, subject }: Account,
): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: externalIdentities.userId })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.provider, provider), eq(externalIdentities.subject, subject)));
  return row?.userId;
}

/**
 * Links an account to a person.
 * @param tx has locked the person
 * @returns false if the person has another account at this provider
 */
export async function linkAccount(
  tx: Transaction,
  userId: string,
  { provider, subject }: Account,
  { linkedBy, at }: { linkedBy: LinkedBy; at: string },
): Promise<boolean> {
  const added = await tx
    .insert(externalIdentities)
    .values({ id: uuidv7(), userId, provider, subject, linkedBy, createdAt: at })
    .onConflictDoNothing()
    .returning({ id: externalIdentities.id });
  return added.length > 0;
}

/** Uses the permission of an administrator to link an account, if there is one. */
export async function takeAllowance(
  tx: Transaction,
  userId: string,
  { provider, subject }: Account,
): Promise<boolean> {
  const used = await tx
    .update(externalIdentities)
    .set({ subject })
    .where(
      and(
        eq(externalIdentities.userId, userId),
        eq(externalIdentities.provider, provider),
        isNull(externalIdentities.subject),
      ),
    )
    .returning({ id: externalIdentities.id });
  return used.length > 0;
}

/** Whether a person has an account at a provider. */
export async function hasAccount(db: Queryable, userId: string, provider: string): Promise<boolean> {
  const rows = await db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.userId, userId), eq(externalIdentities.provider, provider)));
  return rows.length > 0;
}
