import { createHash, randomBytes } from 'node:crypto';
import { eq, lte } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '#db/client.ts';
import { accountLinks } from '#db/schema/accounts.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import type { LinkKind } from '#shared/features/users.ts';
import { INVITE_DAYS } from '#shared/features/users.vocabulary.ts';
import type { Services } from '../kernel/context.ts';

// One-time links to a password of one's own. The server makes a link's secret and keeps its hash alone, so nobody who
// asks for a link can know it before the person whom it is for, unless it is shown to them.

/** How long a link is good. One that was asked for by mail is used at once, or by somebody else. */
export const LINK_LIFE_MS = { invite: INVITE_DAYS * DAY_MS, reset: DAY_MS, forgotten: HOUR_MS } as const;

const TOKEN_BYTES = 32;

export type AccountLink = {
  userId: string;
  kind: LinkKind;
  /** The administrator who made it; null for one that was asked for by mail. */
  madeBy: string | null;
};
/** A link as it goes out. Its secret must not be part of any answer that is kept (rule S5). */
export type MadeLink = { token: string; expiresAt: string };

/**
 * Makes a link.
 * @param replaces makes the earlier ones of the same person worthless; not for what anybody can ask for
 */
export async function makeAccountLink(
  tx: Transaction,
  link: AccountLink,
  now: Date,
  lifeMs: number,
  replaces = true,
): Promise<MadeLink> {
  if (replaces) await deleteLinksOf(tx, link.userId);
  const made = { token: newToken(), expiresAt: new Date(now.getTime() + lifeMs).toISOString() };
  await tx.insert(accountLinks).values(rowOf(link, made, now));
  return made;
}

/** Makes the first links of many new people, all at once. @returns their secrets, in order */
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

/** What a link is for; undefined for one that is used, replaced, unknown or too old. */
export async function readLink(db: Queryable, token: string, now: Date): Promise<AccountLink | undefined> {
  const [found] = await db
    .select()
    .from(accountLinks)
    .where(eq(accountLinks.tokenHash, hashOf(token)));
  return asGood(found, now);
}

/** The same, and uses it up: of two at once, the second waits for the first and finds nothing. */
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

export async function deleteLinksOf(db: Queryable, userId: string): Promise<void> {
  await db.delete(accountLinks).where(eq(accountLinks.userId, userId));
}

/**
 * For somebody who may make no links any more: where no mail is set they have seen the secrets of those that they made,
 * and could still become anybody with one. Mailed links were seen by nobody else, and stay.
 */
export async function dropSeenLinks(
  tx: Transaction,
  { mail }: Pick<Services, 'mail'>,
  madeBy: string,
): Promise<void> {
  if (mail === undefined) await tx.delete(accountLinks).where(eq(accountLinks.madeBy, madeBy));
}

/** Removes what has run out. */
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
