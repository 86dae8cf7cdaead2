import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { LinkedBy } from '#shared/features/users/sign-in.ts';
import { uuidv7 } from '#shared/ids.ts';

/** A permission of an administrator counts for this long. */
const ALLOWED_MS = 7 * DAY_MS;

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
    // Takes the place of a permission that was not used.
    .onConflictDoUpdate({
      target: [externalIdentities.userId, externalIdentities.provider],
      set: { subject, linkedBy, createdAt: at, allowedBy: null },
      setWhere: isNull(externalIdentities.subject),
    })
    .returning({ id: externalIdentities.id });
  return added.length > 0;
}

/**
 * Uses the permission of an administrator to link an account, if there is one that is not too old.
 * @param at now, ISO
 */
export async function takeAllowance(
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
        gt(externalIdentities.createdAt, allowedFrom(at)),
      ),
    )
    .returning({ id: externalIdentities.id });
  return used.length > 0;
}

/** Permissions that were given before this moment no longer count. */
export function allowedFrom(now: string): string {
  return new Date(Date.parse(now) - ALLOWED_MS).toISOString();
}

/** Notes that a person has signed in with an account. */
export async function noteUse(tx: Transaction, { provider, subject }: Account, at: string): Promise<void> {
  await tx
    .update(externalIdentities)
    .set({ lastUsedAt: at })
    .where(and(eq(externalIdentities.provider, provider), eq(externalIdentities.subject, subject)));
}

/** Whether a person has an account at a provider. */
export async function hasAccount(db: Queryable, userId: string, provider: string): Promise<boolean> {
  const rows = await db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(
      and(
        eq(externalIdentities.userId, userId),
        eq(externalIdentities.provider, provider),
        isNotNull(externalIdentities.subject),
      ),
    );
  return rows.length > 0;
}
