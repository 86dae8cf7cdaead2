import { eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type {
  CompleteEnrolmentInput,
  CompleteSignInInput,
  TotpEnrolment,
} from '#shared/features/users/second-factor.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { findPerson } from '../../access/people.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { publishAddedTotp } from '../../accounts/publish-second-factor.ts';
import {
  addTotp,
  consumeSecondFactor,
  hasTotpSecret,
  isCodeOf,
  isTotpCode,
  replaceRecoveryCodes,
} from '../../accounts/second-factors.ts';
import { beginTotpEnrolment, readTotpEnrolment } from '../../accounts/totp-enrolment.ts';
import type { Context } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';
import { completeEntry, enterAccount, type SignInAnswer } from './enter-account.ts';
import { addSecondFactorNotice, notifyOfWrongCodes } from './second-factor-notices.ts';
import { expiredStep, neededStep, openTicket } from './second-step.ts';
import { beginCodeAttempt } from './throttle.ts';

type OpenTicket = ReturnType<typeof openTicket>;

/**
 * Completes a sign-in whose password was correct, with a code of the authenticator app or a recovery code.
 * @throws AppError `unauthenticated` if the ticket is no longer valid, `invalid` at `code`, or `rate_limited`
 */
export function completeSecondStep(ctx: Context, input: CompleteSignInInput): Promise<SignInAnswer> {
  const ticket = openTicket(ctx.services, 'code', input.ticket);
  return logRefusals(ctx, ticket, () => tryToComplete(ctx, ticket, input.code));
}

async function tryToComplete(ctx: Context, ticket: OpenTicket, code: string): Promise<SignInAnswer> {
  const { services } = ctx;
  const { userId } = ticket;
  const { account, isKnown } = await accountOf(ctx, ticket);
  const attempt = await beginCodeAttempt(services, { userId, isKnown, isRecovery: !isTotpCode(code) });
  const entered = await services.db.transaction(async (tx) => {
    await lockTicket(tx, ticket);
    const used = await consumeSecondFactor(tx, userId, code, services.clock.now());
    if (used === undefined) return undefined;
    const entry = await enterAccount(tx, ctx, ticket, { isKnown, hasSecondFactor: true });
    const isTold = used === 'recovery';
    const notice =
      isTold && (await addSecondFactorNotice(tx, ctx, 'recovery_code_used', userId, entry.session.id));
    return { entry, notice };
  });
  if (entered === undefined) {
    if (attempt.isSuspicious) await notifyOfWrongCodes(ctx, userId);
    throw wrongCode();
  }
  await attempt.succeeded();
  if (entered.notice) mailNotice(services, entered.notice.person, entered.notice);
  return completeEntry(ctx, account, entered.entry);
}

/**
 * Begins to set up an authenticator app, for a person whose role needs one and who has none.
 * @throws AppError `unauthenticated` if the ticket is no longer valid
 */
export async function beginEnrolment({ services }: Context, sealed: string): Promise<TotpEnrolment> {
  const ticket = openTicket(services, 'enrol', sealed);
  const person = await findPerson(services.db, ticket.userId);
  if (person === undefined) throw expiredStep();
  return beginTotpEnrolment(services, { userId: person.id, email: person.email });
}

/**
 * Sets up an authenticator app, and signs in. A repeated call, whose first answer was lost, gets new recovery codes.
 * @returns the recovery codes as well, which are not stored in plain
 * @throws AppError `unauthenticated` if the ticket is no longer valid or an app was set up in the meantime, `invalid` at `code`
 */
export function completeEnrolment(ctx: Context, input: CompleteEnrolmentInput): Promise<Enrolled> {
  const ticket = openTicket(ctx.services, 'enrol', input.ticket);
  return logRefusals(ctx, ticket, () => tryToEnrol(ctx, ticket, input));
}

type Enrolled = SignInAnswer & { recoveryCodes: string[] };

async function tryToEnrol(
  ctx: Context,
  ticket: OpenTicket,
  input: CompleteEnrolmentInput,
): Promise<Enrolled> {
  const { services } = ctx;
  const { userId } = ticket;
  const { account, isKnown } = await accountOf(ctx, ticket);
  const secret = readTotpEnrolment(services, userId, input.enrolment);
  if (secret === undefined) throw expiredStep();
  const now = services.clock.now();
  const at = now.toISOString();
  const made = await services.db.transaction(async (tx) => {
    await lockTicket(tx, ticket);
    const isRepeated = await hasTotpSecret(tx, userId, secret);
    if (!isRepeated && (await neededStep(tx, services, userId)) !== 'enrol') throw expiredStep();
    const recoveryCodes = isRepeated
      ? isCodeOf(secret, input.code, now) && (await replaceRecoveryCodes(tx, userId))
      : await addTotp(tx, userId, { secret, code: input.code, now });
    if (!recoveryCodes) throw wrongCode();
    if (!isRepeated) {
      const by = { command: 'session.completeEnrolment', actor: userId, operationId: null, at };
      await publishAddedTotp({ tx, ...recorder(tx, by) }, userId);
    }
    const entry = await enterAccount(tx, ctx, ticket, { isKnown, hasSecondFactor: true });
    const notice =
      !isRepeated && (await addSecondFactorNotice(tx, ctx, 'second_factor_added', userId, entry.session.id));
    return { entry, recoveryCodes, notice };
  });
  if (made.notice) mailNotice(services, made.notice.person, made.notice);
  return { ...(await completeEntry(ctx, account, made.entry)), recoveryCodes: made.recoveryCodes };
}

/** Logs a refused second step: repeated ones show that a password is known to an attacker. */
async function logRefusals<Answer>(
  ctx: Context,
  { userId }: OpenTicket,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      const tried = { address: ctx.address, person: userId, code: error.code };
      ctx.services.log.warn(tried, 'a second step of a sign-in was refused');
    }
    throw error;
  }
}

/** The account of a ticket, and whether it was used on this device before. */
async function accountOf({ services, device: marks }: Context, ticket: OpenTicket) {
  const [row] = await services.db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, ticket.userId));
  if (row === undefined || !ticket.isOf(row.passwordHash)) throw expiredStep();
  const account = { userId: ticket.userId, passwordHash: row.passwordHash };
  const device = await services.devices.recognise(marks, account);
  return { account, isKnown: device !== undefined };
}

/** Locks the account. @throws AppError `unauthenticated` if the password was changed or the account deactivated since */
async function lockTicket(tx: Transaction, ticket: OpenTicket): Promise<void> {
  const held = await lockAccount(tx, ticket.userId);
  if (held.deactivatedAt !== null || !ticket.isOf(held.passwordHash)) throw expiredStep();
}

function wrongCode(): AppError {
  return new AppError('invalid', { data: { fields: { code: secondFactorMessages.codeWrong } } });
}
