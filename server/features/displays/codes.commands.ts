import { randomBytes, randomInt } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { inTransaction, type Transaction } from '#db/client.ts';
import { displayCodes, displayCredentials, displays } from '#db/schema/displays.ts';
import { HOUR_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import type { Claimed, FoundScreen } from '#shared/features/displays/displays.ts';
import { CODE_LENGTH, CODE_LETTERS, CODE_MS } from '#shared/features/displays/displays.vocabulary.ts';
import { displayMessages } from '#shared/features/displays/displays-messages.ts';
import { DISPLAY_COOKIE_MS } from '../../access/displays.ts';
import { displayCookie } from '../../adapters/auth/cookie.ts';
import { hashToken, hashTokenIfValid } from '../../adapters/auth/tokens.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import { countAttempt, decrement, MINUTE_MS, tooMany, windowAt } from '../../kernel/attempt-counts.ts';
import type { Context, Services, SignedInContext } from '../../kernel/context.ts';
import { assertRoomToSave } from '../../kernel/disk-room.ts';

/** Codes per network: fifty unpaired screens in one network ask for fifty every ten minutes. */
const REQUESTS = { max: 200, windowMs: CODE_MS };
/** Wrong codes that may be entered: from one network, and by everyone together. */
const TRIES = { max: 5, windowMs: MINUTE_MS };
const ALL_TRIES = { max: 50, windowMs: HOUR_MS };
/**
 * A code that is entered just before its end stays valid for at least this long, so that its screen has time to fetch the
 * credential.
 */
const CLAIM_MS = MINUTE_MS;
/** Codes are deleted when they have been expired for this long. */
const SWEPT_AFTER_MS = HOUR_MS;
const TOKEN_BYTES = 32;

const makeToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * Makes a code for a screen to show, and a secret with which only that screen can ask whether it was paired.
 * @throws AppError `rate_limited`, `busy` without room on the disk
 */
export async function requestCode(
  { services, address, userAgent }: Context,
  screen: { width: number; height: number },
): Promise<{ code: string; claim: string; validMs: number }> {
  const { db, clock } = services;
  const now = clock.now();
  await assertRoomToSave(services, 'displays.requestCode');
  const wait = await countAttempt(db, now, { key: `display-code:${networkOf(address)}`, ...REQUESTS });
  if (wait > 0) throw tooMany(wait * 1_000);
  const code = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join(
    '',
  );
  const claim = makeToken();
  await db.insert(displayCodes).values({
    codeHash: hashToken(code),
    claimHash: hashToken(claim),
    requestedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + CODE_MS).toISOString(),
    address,
    userAgent,
    ...screen,
  });
  return { code, claim, validMs: CODE_MS };
}

/**
 * Tells a screen whether its code was entered, and if so gives it the credential of its display as a cookie. If the screen
 * asks again because the answer was lost, it gets a new credential, and the previous one becomes invalid.
 */
export async function claimDisplay(ctx: Context, claim: string): Promise<Claimed> {
  const { db, clock, env } = ctx.services;
  const claimHash = hashTokenIfValid(claim);
  if (claimHash === undefined) return { state: 'expired' };
  const now = clock.now();
  const token = makeToken();
  const state = await inTransaction(db, {}, async (tx): Promise<Claimed['state']> => {
    const [found] = await tx
      .select({ displayId: displayCodes.displayId, unpairedAt: displays.unpairedAt })
      .from(displayCodes)
      .leftJoin(displays, eq(displays.id, displayCodes.displayId))
      .where(and(eq(displayCodes.claimHash, claimHash), gt(displayCodes.expiresAt, now.toISOString())))
      .for('update', { of: displayCodes });
    if (found === undefined || found.unpairedAt !== null) return 'expired';
    const { displayId } = found;
    if (displayId === null) return 'waiting';
    const credential = { hash: hashToken(token), createdAt: now.toISOString() };
    await tx
      .insert(displayCredentials)
      .values({ displayId, ...credential })
      .onConflictDoUpdate({ target: displayCredentials.displayId, set: credential });
    return 'paired';
  });
  if (state === 'paired') {
    const until = new Date(now.getTime() + DISPLAY_COOKIE_MS).toISOString();
    for (const header of displayCookie(isSecure(env)).set(token, until)) ctx.setCookie(header);
  }
  return { state };
}

/**
 * Finds the screen that shows a code, for the administrator to compare.
 * @throws AppError `invalid` at the code, `rate_limited` after too many wrong ones
 */
export async function lookUpScreen(ctx: SignedInContext, code: string): Promise<FoundScreen> {
  const now = ctx.services.clock.now().toISOString();
  return countingWrongCodes(ctx, async () => {
    const [found] = await ctx.services.db
      .select({
        address: displayCodes.address,
        userAgent: displayCodes.userAgent,
        width: displayCodes.width,
        height: displayCodes.height,
        requestedAt: displayCodes.requestedAt,
      })
      .from(displayCodes)
      .where(isOpen(code, now));
    return found;
  });
}

/**
 * Counts an entered code before it is looked up, so that a hundred tries at once count as a hundred. A correct code is subtracted
 * from the count again.
 * @param find returns undefined for a wrong code
 * @throws AppError `rate_limited`, `invalid` at the code
 */
export async function countingWrongCodes<Found>(
  { services, address }: Context,
  find: () => Promise<Found | undefined>,
): Promise<Found> {
  const { db, clock } = services;
  const now = clock.now();
  const limits = [
    { key: `pairing:${networkOf(address)}`, ...TRIES },
    { key: 'pairing', ...ALL_TRIES },
  ];
  for (const limit of limits) {
    const wait = await countAttempt(db, now, limit);
    if (wait > 0) throw tooMany(wait * 1_000);
  }
  let isWrong = false;
  try {
    const found = await find();
    if (found === undefined) throw wrongCode();
    return found;
  } catch (error) {
    isWrong = error instanceof AppError && error.message === displayMessages.codeWrong;
    throw error;
  } finally {
    if (!isWrong) {
      for (const { key, windowMs } of limits)
        await decrement(db, { key, windowStart: windowAt(now, windowMs).start });
    }
  }
}

function wrongCode(): AppError {
  return new AppError('invalid', {
    message: displayMessages.codeWrong,
    data: { fields: { code: displayMessages.codeWrong } },
  });
}

function isOpen(code: string, now: string) {
  return and(
    eq(displayCodes.codeHash, hashToken(code)),
    gt(displayCodes.expiresAt, now),
    isNull(displayCodes.displayId),
  );
}

/**
 * Gives the code's screen to a display. A code works once: of two administrators who enter it, one succeeds.
 * @throws AppError `invalid` at the code
 */
export async function useCode(tx: Transaction, code: string, displayId: string, now: string): Promise<void> {
  const until = new Date(Date.parse(now) + CLAIM_MS).toISOString();
  const used = await tx
    .update(displayCodes)
    .set({ displayId, expiresAt: sql`greatest(${displayCodes.expiresAt}, ${until})` })
    .where(isOpen(code, now))
    .returning({ codeHash: displayCodes.codeHash });
  if (used.length === 0) throw wrongCode();
}

/** Invalidates the credential of the present screen of a display, and the code that paired it. */
export async function revokeScreen(tx: Transaction, displayId: string): Promise<void> {
  await tx.delete(displayCredentials).where(eq(displayCredentials.displayId, displayId));
  await tx.delete(displayCodes).where(eq(displayCodes.displayId, displayId));
}

/** Deletes codes that nobody can enter any more. */
export async function sweepCodes({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SWEPT_AFTER_MS).toISOString();
  await db.delete(displayCodes).where(lt(displayCodes.expiresAt, before));
}
