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
import { addNotice } from '../../accounts/add-notice.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { publishSecondFactor } from '../../accounts/publish-second-factor.ts';
import { addTotp, consumeSecondFactor } from '../../accounts/second-factors.ts';
import { beginTotpEnrolment, readTotpEnrolment } from '../../accounts/totp-enrolment.ts';
import type { Context } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';
import { completeEntry, enterByPassword, type SignedInByPassword } from './enter-by-password.ts';
import { expiredStep, neededStep, openTicket } from './second-step.ts';
import { beginCodeAttempt } from './throttle.ts';

type OpenTicket = ReturnType<typeof openTicket>;

/**
 * Completes a sign-in whose password was right, with a code of the authenticator app or a recovery code.
 * @throws AppError `unauthenticated` if the ticket is no longer good, `invalid` at `code`, or `rate_limited`
 */
export async function completeSecondStep(
  ctx: Context,
  { ticket: sealed, code }: CompleteSignInInput,
): Promise<SignedInByPassword> {
  const { services } = ctx;
  const ticket = openTicket(services, sealed);
  const { account, isKnown, device } = await accountOf(ctx, ticket);
  const attempt = await beginCodeAttempt(services, ticket.userId, device);
  const entered = await services.db.transaction(async (tx) => {
    await lockTicket(tx, ticket);
    const used = await consumeSecondFactor(tx, ticket.userId, code, services.clock.now());
    return used && enterByPassword(tx, ctx, ticket, { isKnown, hasSecondFactor: true });
  });
  if (entered === undefined) {
    if (attempt.isSuspicious) await tellOfFailures(ctx, ticket.userId);
    throw wrongCode();
  }
  await attempt.succeeded();
  return completeEntry(ctx, account, entered);
}

/**
 * Begins to set up an authenticator app, for a person whose role needs one and who has none.
 * @throws AppError `unauthenticated` if the ticket is no longer good
 */
export async function beginEnrolment({ services }: Context, sealed: string): Promise<TotpEnrolment> {
  const ticket = openTicket(services, sealed);
  const person = await findPerson(services.db, ticket.userId);
  if (person === undefined) throw expiredStep();
  return beginTotpEnrolment(services, { userId: person.id, email: person.email });
}

/**
 * Sets up an authenticator app, and signs in.
 * @returns the recovery codes as well, which are not stored in plain
 * @throws AppError `unauthenticated` if the ticket is no longer good or an app was set up meanwhile, `invalid` at `code`
 */
export async function completeEnrolment(
  ctx: Context,
  input: CompleteEnrolmentInput,
): Promise<SignedInByPassword & { recoveryCodes: string[] }> {
  const { services } = ctx;
  const ticket = openTicket(services, input.ticket);
  const { userId } = ticket;
  const { account, isKnown } = await accountOf(ctx, ticket);
  const secret = readTotpEnrolment(services, userId, input.enrolment);
  if (secret === undefined) throw expiredStep();
  const now = services.clock.now();
  const at = now.toISOString();
  const made = await services.db.transaction(async (tx) => {
    await lockTicket(tx, ticket);
    if ((await neededStep(tx, services, userId)) !== 'enrol') throw expiredStep();
    const recoveryCodes = await addTotp(tx, userId, { secret, code: input.code, now });
    if (recoveryCodes === undefined) throw wrongCode();
    const recording = recorder(tx, {
      command: 'session.completeEnrolment',
      actor: userId,
      operationId: null,
      at,
    });
    await publishSecondFactor({ tx, ...recording }, userId, 'added');
    const entered = await enterByPassword(tx, ctx, ticket, { isKnown, hasSecondFactor: true });
    const notice = noticeOf(ctx, 'second_factor_added', at);
    await addNotice(tx, recording, { ...notice, userId, byId: null, sessionId: entered.session.id });
    return { entered, recoveryCodes, notice };
  });
  const person = await findPerson(services.db, userId);
  if (person !== undefined) mailNotice(services, person, { ...made.notice, by: null });
  return { ...(await completeEntry(ctx, account, made.entered)), recoveryCodes: made.recoveryCodes };
}

/** The account of a ticket, and the mark for it on this device. */
async function accountOf({ services, device: marks }: Context, ticket: OpenTicket) {
  const [row] = await services.db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, ticket.userId));
  if (row === undefined || !ticket.isOf(row.passwordHash)) throw expiredStep();
  const account = { userId: ticket.userId, passwordHash: row.passwordHash };
  const device = await services.devices.recognise(marks, account);
  return { account, device, isKnown: device !== undefined };
}

/** Locks the account. @throws AppError `unauthenticated` if the password was changed or the account deactivated since */
async function lockTicket(tx: Transaction, ticket: OpenTicket): Promise<void> {
  const held = await lockAccount(tx, ticket.userId);
  if (held.deactivatedAt !== null || !ticket.isOf(held.passwordHash)) throw expiredStep();
}

/** Whoever enters wrong codes knows the password, so the person is told. */
async function tellOfFailures(ctx: Context, userId: string): Promise<void> {
  const { services } = ctx;
  const at = services.clock.now().toISOString();
  const notice = noticeOf(ctx, 'second_factor_failed', at);
  const person = await services.db.transaction(async (tx) => {
    const by = { command: 'session.completeSignIn', actor: userId, operationId: null, at };
    await addNotice(tx, recorder(tx, by), { ...notice, userId, byId: null, sessionId: null });
    return findPerson(tx, userId);
  });
  services.sequencer.schedule();
  if (person !== undefined) mailNotice(services, person, { ...notice, by: null });
}

function noticeOf(
  { address, userAgent }: Context,
  kind: 'second_factor_added' | 'second_factor_failed',
  at: string,
) {
  return { kind, at, address, userAgent };
}

function wrongCode(): AppError {
  return new AppError('invalid', { data: { fields: { code: secondFactorMessages.codeWrong } } });
}
