import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, lt, ne, notInArray } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { externalSessions } from '#db/schema/identities.ts';
import { passkeySessions } from '#db/schema/passkeys.ts';
import { sessions } from '#db/schema/people.ts';
import { recoveryCodes, totpSecrets } from '#db/schema/second-factors.ts';
import { matchTotp } from '../adapters/auth/totp.ts';
import { removePasskeys } from './passkeys.ts';

/** Recovery codes that a person gets at a time. */
const CODES = 10;
/** Enough random bytes that a plain hash is safe to store (OWASP ASVS 5.0, 6.5.2: from 112 bits on). */
const CODE_BYTES = 15;
/** Crockford's base32: no letter that looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** State of a person's authenticator app. */
export type TotpState = { since: string; recoveryCodesLeft: number };

/** Whether an authenticator app with this secret gives this code at this time. */
export function isCodeOf(secret: string, typed: string, now: Date): boolean {
  return matchTotp(secret, plainCode(typed), now) !== undefined;
}

/** Whether this is the secret of a person's authenticator app. */
export async function hasTotpSecret(db: Queryable, userId: string, secret: string): Promise<boolean> {
  const [row] = await db
    .select({ secret: totpSecrets.secret })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  return row?.secret === secret;
}

/** Reads the state of a person's authenticator app; undefined if there is none. */
export async function findTotp(db: Queryable, userId: string): Promise<TotpState | undefined> {
  const [row] = await db
    .select({ since: totpSecrets.createdAt })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  if (row === undefined) return undefined;
  const [left] = await db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId));
  return { since: row.since, recoveryCodesLeft: left?.count ?? 0 };
}

/**
 * Marks a code of the authenticator app or a recovery code as used.
 * @param tx has locked the account, so that a code is used once only
 * @returns the kind of the code; undefined if the code is wrong or was used before
 */
export async function consumeSecondFactor(
  tx: Transaction,
  userId: string,
  code: string,
  now: Date,
): Promise<'totp' | 'recovery' | undefined> {
  const plain = plainCode(code);
  if (isTotpCode(plain)) return (await consumeTotp(tx, userId, plain, now)) ? 'totp' : undefined;
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOf(plain))))
    .returning({ userId: recoveryCodes.userId });
  return used.length > 0 ? 'recovery' : undefined;
}

/** Whether a typed code has the form of an authenticator app's codes, not of a recovery code. */
export function isTotpCode(typed: string): boolean {
  return /^\d{6}$/.test(plainCode(typed));
}

async function consumeTotp(tx: Transaction, userId: string, code: string, now: Date): Promise<boolean> {
  const [row] = await tx
    .select({ secret: totpSecrets.secret })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  const step = row && matchTotp(row.secret, code, now);
  if (step === undefined) return false;
  const used = await tx
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(and(eq(totpSecrets.userId, userId), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return used.length > 0;
}

/**
 * Adds an authenticator app, if the code proves that the app has the secret.
 * @param tx has locked the account
 * @returns the recovery codes, which are not stored in plain; undefined if the code is wrong
 */
export async function addTotp(
  tx: Transaction,
  userId: string,
  { secret, code, now }: { secret: string; code: string; now: Date },
): Promise<string[] | undefined> {
  const step = matchTotp(secret, plainCode(code), now);
  if (step === undefined) return undefined;
  // The code that was just used is not accepted again.
  await tx.insert(totpSecrets).values({ userId, secret, lastStep: step, createdAt: now.toISOString() });
  return replaceRecoveryCodes(tx, userId);
}

/**
 * Makes new recovery codes in place of the earlier ones.
 * @param tx has locked the account
 */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const codes = Array.from({ length: CODES }, createCode);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(plainCode(code)) })));
  return codes;
}

/**
 * Removes the authenticator app and the recovery codes of a person.
 * @param tx has locked the account
 * @returns false if there was none
 */
export async function removeTotp(tx: Transaction, userId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const removed = await tx
    .delete(totpSecrets)
    .where(eq(totpSecrets.userId, userId))
    .returning({ userId: totpSecrets.userId });
  return removed.length > 0;
}

/** The second factors that were removed. */
export type RemovedFactors = { totp: boolean; passkeys: string[] };

/**
 * Removes all second factors of a person: authenticator app, recovery codes and passkeys.
 * @param tx has locked the account
 * @returns undefined if there was none
 */
export async function removeSecondFactors(
  tx: Transaction,
  userId: string,
): Promise<RemovedFactors | undefined> {
  const removed = { totp: await removeTotp(tx, userId), passkeys: await removePasskeys(tx, userId) };
  return removed.totp || removed.passkeys.length > 0 ? removed : undefined;
}

/**
 * After a second factor was removed, marks the person's sessions as begun without one. Sessions of identity providers keep
 * their mark. If the person has another second factor, the present session and sessions that began with a passkey keep it,
 * too.
 */
export async function forgetSecondFactor(
  tx: Transaction,
  { userId, sessionId }: { userId: string; sessionId: string },
  hasOther: boolean,
): Promise<void> {
  const external = tx.select({ id: externalSessions.sessionId }).from(externalSessions);
  const byPasskey = tx.select({ id: passkeySessions.sessionId }).from(passkeySessions);
  await tx
    .update(sessions)
    .set({ hasSecondFactor: false })
    .where(
      and(
        eq(sessions.userId, userId),
        notInArray(sessions.id, external),
        hasOther ? and(ne(sessions.id, sessionId), notInArray(sessions.id, byPasskey)) : undefined,
      ),
    );
}

/** "7k2m-9qfd-…": 120 random bits, in groups of four letters. */
function createCode(): string {
  const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g)?.map((five) => ALPHABET[Number.parseInt(five, 2)] ?? '') ?? [];
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Normalises a typed code: without spaces and hyphens, and with letters that look like digits replaced. */
function plainCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
