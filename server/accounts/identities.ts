import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { LinkedBy } from '#shared/features/users/sign-in.ts';
import { uuidv7 } from '#shared/ids.ts';

/** Lifetime of an administrator's permission to link an account. */
const ALLOWED_MS = 7 * DAY_MS;

/** An account at a provider. */
export type Account = { provider: string; subject: string };

/** Returns the id of the person to whom an account is linked. */
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
    // Replaces a permission to link that was not used, which is a row without a subject.
    .onConflictDoUpdate({
      target: [externalIdentities.userId, externalIdentities.provider],
      set: { subject, linkedBy, createdAt: at, allowedBy: null },
      setWhere: isNull(externalIdentities.subject),
    })
    .returning({ id: externalIdentities.id });
  return added.length > 0;
}

/**
 * Links an account if an administrator has given a permission that has not expired.
 * @param at the current time, ISO
 * @returns whether the account was linked
 */
export async function linkByPermission(
  tx: Transaction,
  userId: string,
  { provider, subject }: Account,
  at: string,
): Promise<boolean> {
  const used = await tx
    .update(externalIdentities)
    .set({ subject })
    .where(
      and(
        eq(externalIdentities.userId, userId),
        eq(externalIdentities.provider, provider),
        isNull(externalIdentities.subject),
        gt(externalIdentities.createdAt, oldestPermission(at)),
      ),
    )
    .returning({ id: externalIdentities.id });
  return used.length > 0;
}

/** Returns the time of the oldest permission that has not expired, ISO. */
export function oldestPermission(now: string): string {
  return new Date(Date.parse(now) - ALLOWED_MS).toISOString();
}

/** Records the time of the last sign-in with an account. */
export async function noteUse(tx: Transaction, { provider, subject }: Account, at: string): Promise<void> {
  await tx
    .update(externalIdentities)
    .set({ lastUsedAt: at })
    .where(and(eq(externalIdentities.provider, provider), eq(externalIdentities.subject, subject)));
}

/** Lists the ids of the providers at which a person has a linked account. */
export async function linkedProviders(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .select({ provider: externalIdentities.provider })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.userId, userId), isNotNull(externalIdentities.subject)));
  return rows.map(({ provider }) => provider);
}
