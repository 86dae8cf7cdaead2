import { AppError } from '#shared/errors.ts';
import type {
  AddSecondFactorInput,
  OwnSecondFactorInput,
  ResetSecondFactorInput,
  TotpEnrolment,
} from '#shared/features/users/second-factor.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import type { NoticeKind } from '#shared/features/users/users.ts';
import { findPerson } from '../../access/people.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import type { Changed } from '../../accounts/person-change.ts';
import { publishSecondFactor } from '../../accounts/publish-second-factor.ts';
import {
  addTotp,
  findSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../../accounts/second-factors.ts';
import { assertStillManages } from '../../accounts/still-manages.ts';
import { beginTotpEnrolment, readTotpEnrolment } from '../../accounts/totp-enrolment.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

/** The answer of a command that makes recovery codes. They are absent in a repeated answer: only their hashes are stored. */
export type WithRecoveryCodes = Changed & { recoveryCodes?: string[] };

/** Makes the secret of an authenticator app; nothing is stored before a code shows that the app has it. */
export function beginSecondFactor({ services, actor }: SignedInContext): TotpEnrolment & { version: number } {
  return { ...beginTotpEnrolment(services, actor), version: actor.accessVersion };
}

/**
 * Adds an authenticator app to the actor's account. From then on, every sign-in with the password needs a code; sessions
 * that began without one end.
 * @throws AppError `invalid` at `code`, or `conflict` if there is one already or the enrolment has expired
 */
export async function addSecondFactor(
  ctx: SignedInContext,
  input: AddSecondFactorInput,
): Promise<WithRecoveryCodes> {
  const { services, actor } = ctx;
  const { userId } = actor;
  const beside: { recoveryCodes?: string[] } = {};
  const changed = await runCommand(ctx, 'users.addSecondFactor', input, async (command) => {
    const { tx } = command;
    await lockAccount(tx, userId);
    const secret = readTotpEnrolment(services, userId, input.enrolment);
    if ((await findSecondFactor(tx, userId)) !== undefined) {
      throw new AppError('conflict', { message: secondFactorMessages.alreadyOn });
    }
    if (secret === undefined) throw new AppError('conflict', { message: secondFactorMessages.enrolExpired });
    const now = services.clock.now();
    const codes = await addTotp(tx, userId, { secret, code: input.code, now });
    if (codes === undefined) {
      throw new AppError('invalid', { data: { fields: { code: secondFactorMessages.codeWrong } } });
    }
    beside.recoveryCodes = codes;
    const ended = await services.sessions.noteSecondFactor(actor, tx);
    if (ended.length > 0) await command.recordSessionsEnded(userId, ended);
    await notify(ctx, command, 'second_factor_added', userId);
    return publishSecondFactor(command, userId, 'added');
  });
  if (beside.recoveryCodes !== undefined) await mail(ctx, 'second_factor_added', userId);
  return { ...changed, ...beside };
}

/**
 * Removes the actor's own second factor.
 * @throws AppError `forbidden` if the role needs one
 */
export async function removeMySecondFactor(
  ctx: SignedInContext,
  input: OwnSecondFactorInput,
): Promise<Changed> {
  const { userId } = ctx.actor;
  let isRemoved = false;
  const changed = await runCommand(ctx, 'users.removeSecondFactor', input, async (command) => {
    await lockAccount(command.tx, userId);
    const person = await findPerson(command.tx, userId);
    if (needsSecondFactor(ctx.services.signIn, person?.role ?? null)) {
      throw new AppError('forbidden', { message: secondFactorMessages.required });
    }
    isRemoved = await removeSecondFactor(command.tx, userId);
    if (!isRemoved) return unchanged(command, userId);
    await notify(ctx, command, 'second_factor_removed', userId);
    return publishSecondFactor(command, userId, 'removed');
  });
  if (isRemoved) await mail(ctx, 'second_factor_removed', userId);
  return changed;
}

/**
 * Makes new recovery codes in place of the actor's earlier ones.
 * @throws AppError `not_found` without a second factor
 */
export async function makeRecoveryCodes(
  ctx: SignedInContext,
  input: OwnSecondFactorInput,
): Promise<WithRecoveryCodes> {
  const { userId, accessVersion } = ctx.actor;
  const beside: { recoveryCodes?: string[] } = {};
  const changed = await runCommand(ctx, 'users.makeRecoveryCodes', input, async (command) => {
    const { tx } = command;
    await lockAccount(tx, userId);
    if ((await findSecondFactor(tx, userId)) === undefined) throw new AppError('not_found');
    beside.recoveryCodes = await replaceRecoveryCodes(tx, userId);
    await notify(ctx, command, 'recovery_codes_made', userId);
    return { id: userId, version: accessVersion };
  });
  if (beside.recoveryCodes !== undefined) await mail(ctx, 'recovery_codes_made', userId);
  return { ...changed, ...beside };
}

/**
 * Removes the second factor of a person who has lost the phone, and ends all their sessions. The password alone signs them
 * in again; if their role needs a second factor, they set one up with it.
 * @throws AppError `forbidden` for the actor's own
 */
export async function resetSecondFactor(
  ctx: SignedInContext,
  input: ResetSecondFactorInput,
): Promise<Changed> {
  const { userId } = input;
  let isRemoved = false;
  const changed = await runCommand(ctx, 'users.resetSecondFactor', input, async (command) => {
    const { tx } = command;
    await assertStillManages(command);
    if (userId === ctx.actor.userId)
      throw new AppError('forbidden', { message: secondFactorMessages.resetOwn });
    if ((await findPerson(tx, userId)) === undefined) throw new AppError('not_found');
    await lockAccount(tx, userId);
    isRemoved = await removeSecondFactor(tx, userId);
    if (!isRemoved) return unchanged(command, userId);
    await ctx.services.sessions.endAllForUser(userId, tx);
    await command.recordSessionsEnded(userId, 'all');
    await notify(ctx, command, 'second_factor_removed', userId);
    return publishSecondFactor(command, userId, 'removed');
  });
  if (isRemoved) await mail(ctx, 'second_factor_removed', userId);
  return changed;
}

async function unchanged({ tx }: Command, userId: string): Promise<Changed> {
  return { id: userId, version: (await findPerson(tx, userId))?.version ?? 0 };
}

/** Notifies the person in their windows; the administrator who did it is named. */
async function notify(ctx: SignedInContext, command: Command, kind: NoticeKind, userId: string) {
  const byId = userId === ctx.actor.userId ? null : ctx.actor.userId;
  const { address, userAgent, actor } = ctx;
  const notice = { kind, at: command.now, address, userAgent, userId, byId, sessionId: actor.sessionId };
  await addNotice(command.tx, command, notice);
}

async function mail(ctx: SignedInContext, kind: NoticeKind, userId: string): Promise<void> {
  const { services, actor, address, userAgent } = ctx;
  const person = await findPerson(services.db, userId);
  const by = userId === actor.userId ? null : `${actor.firstName} ${actor.lastName}`;
  const at = services.clock.now().toISOString();
  if (person !== undefined) mailNotice(services, person, { kind, at, address, userAgent, by });
}
