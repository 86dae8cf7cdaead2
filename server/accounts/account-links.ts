import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '#db/client.ts';
import { accountLinks } from '#db/schema/accounts.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import type { LinkKind } from '#shared/features/users/users.ts';
import { INVITE_DAYS } from '#shared/features/users/users.vocabulary.ts';
import type { Services } from '../kernel/context.ts';

// One-time links with which a person sets a password. The server generates the secret and stores only its hash. So a person who
// requests a link for someone else does not learn the secret, unless the link is shown on screen.

/**
 * Lifetime of a link in milliseconds. A forgotten-password link is short-lived: its owner uses it at once, and a longer
 * lifetime would help only other readers of the mailbox.
 */
export const LINK_LIFE_MS = { invite: INVITE_DAYS * DAY_MS, reset: DAY_MS, forgotten: HOUR_MS } as const;

const TOKEN_BYTES = 32;

export type AccountLink = {
  userId: string;
  kind: LinkKind;
  /** The administrator who made it; null if the person asked for it by mail. */
  madeBy: string | null;
};
/** A link as it is handed out. Its secret must not be part of a stored answer (rule S5). */
export type MadeLink = { token: string; expiresAt: string };

/**
 * Creates a link, and deletes the person's earlier ones.
 * @param options.keepEarlier keeps the earlier links; for links that anyone can request, so that a stranger cannot
 *   invalidate a pending one
 */
export async function makeAccountLink(
  tx: Transaction,
  link: AccountLink,
  now: Date,
  lifeMs: number,
  { keepEarlier = false }: { keepEarlier?: boolean } = {},
): Promise<MadeLink> {
  if (!keepEarlier) await deleteLinksOf(tx, link.userId);
  const made = { token: newToken(), expiresAt: new Date(now.getTime() + lifeMs).toISOString() };
  await tx.insert(accountLinks).values(rowOf(link, made, now));
  return made;
}

/**
 * Creates the invitations of many new people in one insert.
 * @returns the secrets, in the order of `userIds`
 */
export async function makeFirstLinks(
  tx: Transaction,
  userIds: readonly string[],
  madeBy: string,
  now: Date,
): Promise<string[]> {
  const expiresAt = new Date(now.getTime() + LINK_LIFE_MS.invite).toISOString();
  const tokens = userIds.map(newToken);
  await tx
    .insert(accountLinks)
    .values(
      userIds.map((userId, at) =>
        rowOf({ userId, kind: 'invite', madeBy }, { token: tokens[at] ?? '', expiresAt }, now),
      ),
    );
  return tokens;
}

/** Returns the link that belongs to a token; undefined if it was used, replaced, is unknown or has expired. */
export async function readLink(db: Queryable, token: string, now: Date): Promise<AccountLink | undefined> {
  const [found] = await db
    .select()
    .from(accountLinks)
    .where(eq(accountLinks.tokenHash, hashOf(token)));
  return asGood(found, now);
}

/** Like `readLink`, but deletes the link: of two concurrent calls, the second waits for the first and finds nothing. */
export async function consumeLink(
  tx: Transaction,
  token: string,
  now: Date,
): Promise<AccountLink | undefined> {
  const [taken] = await tx
    .delete(accountLinks)
    .where(eq(accountLinks.tokenHash, hashOf(token)))
    .returning();
  return asGood(taken, now);
}

/** Whether a person has an invitation that has not expired. */
export async function hasInvitation(db: Queryable, userId: string, now: Date): Promise<boolean> {
  const [found] = await db
    .select({ userId: accountLinks.userId })
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.userId, userId),
        eq(accountLinks.kind, 'invite'),
        gt(accountLinks.expiresAt, now.toISOString()),
      ),
    )
    .limit(1);
  return found !== undefined;
}

/** Deletes all links of a person. */
export async function deleteLinksOf(db: Queryable, userId: string): Promise<void> {
  await db.delete(accountLinks).where(eq(accountLinks.userId, userId));
}

/**
 * Deletes the links made by a person who has lost the right to make links. Without mail the links are shown on screen, so
 * this person knows their secrets and could sign in as the invited people. Secrets of mailed links are known only to
 * their recipients, so those links stay.
 */
export async function dropSeenLinks(
  tx: Transaction,
  { mail }: Pick<Services, 'mail'>,
  madeBy: string,
): Promise<void> {
  if (mail === undefined) await tx.delete(accountLinks).where(eq(accountLinks.madeBy, madeBy));
}

/** Deletes expired links. */
export async function sweepLinks(db: Database, now: Date): Promise<void> {
  await db.delete(accountLinks).where(lte(accountLinks.expiresAt, now.toISOString()));
}

function rowOf({ userId, kind, madeBy }: AccountLink, { token, expiresAt }: MadeLink, now: Date) {
  return { tokenHash: hashOf(token), userId, kind, madeBy, createdAt: now.toISOString(), expiresAt };
}

function asGood(
  row: { userId: string; kind: string; madeBy: string | null; expiresAt: string } | undefined,
  now: Date,
): AccountLink | undefined {
  if (row === undefined || row.expiresAt <= now.toISOString()) return undefined;
  return { userId: row.userId, kind: row.kind === 'invite' ? 'invite' : 'reset', madeBy: row.madeBy };
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
