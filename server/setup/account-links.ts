import { createHash } from 'node:crypto';
import { eq, lte } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '#db/client.ts';
import { accountLinks } from '#db/schema/accounts.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import type { LinkKind } from '#shared/features/users.ts';

// One-time links to a password of one's own. Only the hash of a link's token is kept.

/** How long a link is good. One that was asked for by mail is used at once, or by somebody else. */
export const LINK_LIFE_MS = { invite: 7 * DAY_MS, reset: DAY_MS, forgotten: HOUR_MS } as const;

export type AccountLink = { userId: string; kind: LinkKind };

/**
 * Makes a link good.
 * @param replaces makes the earlier ones of the same person worthless; not for what anybody can ask for
 * @returns when it runs out
 * @throws AppError `duplicate` for a token that another link has
 */
export async function keepLink(
  tx: Transaction,
  link: AccountLink & { token: string },
  now: Date,
  lifeMs: number,
  replaces = true,
): Promise<string> {
  const expiresAt = new Date(now.getTime() + lifeMs).toISOString();
  if (replaces) await dropLinksOf(tx, link.userId);
  const kept = await tx
    .insert(accountLinks)
    .values({
      tokenHash: hashOf(link.token),
      userId: link.userId,
      kind: link.kind,
      createdAt: now.toISOString(),
      expiresAt,
    })
    .onConflictDoNothing()
    .returning({ kind: accountLinks.kind });
  // A secret that two links share opens neither safely.
  if (kept.length === 0) throw new AppError('duplicate');
  return expiresAt;
}

/** Makes the first links of many new people good, all at once. */
export async function keepFirstLinks(
  tx: Transaction,
  links: readonly { userId: string; token: string }[],
  now: Date,
): Promise<void> {
  const createdAt = now.toISOString();
  const expiresAt = new Date(now.getTime() + LINK_LIFE_MS.invite).toISOString();
  const kept = await tx
    .insert(accountLinks)
    .values(
      links.map(({ userId, token }) => ({
        tokenHash: hashOf(token),
        userId,
        kind: 'invite' as const,
        createdAt,
        expiresAt,
      })),
    )
    .onConflictDoNothing()
    .returning({ kind: accountLinks.kind });
  if (kept.length !== links.length) throw new AppError('duplicate');
}

/** What a link is for; undefined for one that is used, replaced, unknown or too old. */
export async function readLink(db: Queryable, token: string, now: Date): Promise<AccountLink | undefined> {
  const [found] = await db
    .select()
    .from(accountLinks)
    .where(eq(accountLinks.tokenHash, hashOf(token)));
  return asGood(found, now);
}

/** The same, and uses it up: of two at once, the second waits for the first and finds nothing. */
export async function takeLink(tx: Transaction, token: string, now: Date): Promise<AccountLink | undefined> {
  const [taken] = await tx
    .delete(accountLinks)
    .where(eq(accountLinks.tokenHash, hashOf(token)))
    .returning();
  return asGood(taken, now);
}

export async function dropLinksOf(db: Queryable, userId: string): Promise<void> {
  await db.delete(accountLinks).where(eq(accountLinks.userId, userId));
}

/** Removes what has run out. */
export async function sweepLinks(db: Database, now: Date): Promise<void> {
  await db.delete(accountLinks).where(lte(accountLinks.expiresAt, now.toISOString()));
}

function asGood(
  row: { userId: string; kind: string; expiresAt: string } | undefined,
  now: Date,
): AccountLink | undefined {
  if (row === undefined || row.expiresAt <= now.toISOString()) return undefined;
  return { userId: row.userId, kind: row.kind === 'invite' ? 'invite' : 'reset' };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
