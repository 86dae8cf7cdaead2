import { AppError } from '#shared/errors.ts';
import type {
  AddSecondFactorInput,
  OwnSecondFactorInput,
  ResetSecondFactorInput,
  TotpEnrolment,
} from '#shared/features/users/second-factor.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { findPerson } from '../../access/people.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import type { Changed } from '../../accounts/person-change.ts';
import { publishAddedTotp, publishRemovedFactors } from '../../accounts/publish-second-factor.ts';
import {
  addTotp,
  findTotp,
  removeSecondFactors,
  removeTotp,
  replaceRecoveryCodes,
} from '../../accounts/second-factors.ts';
import { addSecurityNotice, mailSecurityNotice } from '../../accounts/security-notices.ts';
import { assertStillManages } from '../../accounts/still-manages.ts';
import { beginTotpEnrolment, readTotpEnrolment } from '../../accounts/totp-enrolment.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { afterFactorRemoval } from './remaining-factors.ts';

/**
 * The answer of a command that makes recovery codes. A repeated answer does not contain the codes, because only their hashes are
 * stored.
 */
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
    if ((await findTotp(tx, userId)) !== undefined) {
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
    await addSecurityNotice(ctx, command, 'second_factor_added', userId);
    return publishAddedTotp(command, userId);
  });
  if (beside.recoveryCodes !== undefined) await mailSecurityNotice(ctx, 'second_factor_added', userId);
  return { ...changed, ...beside };
}

/**
 * Removes the actor's own authenticator app and recovery codes.
 * @throws AppError `forbidden` if the role needs a second factor and this is the only one
 */
export async function removeMySecondFactor(
  ctx: SignedInContext,
  input: OwnSecondFactorInput,
): Promise<Changed> {
  const { userId } = ctx.actor;
  let isRemoved = false;
  const changed = await runCommand(ctx, 'users.removeSecondFactor', input, async (command) => {
    await lockAccount(command.tx, userId);
    isRemoved = await removeTotp(command.tx, userId);
    if (!isRemoved) return unchanged(command, userId);
    await afterFactorRemoval(ctx, command);
    await addSecurityNotice(ctx, command, 'second_factor_removed', userId);
    return publishRemovedFactors(command, userId, { totp: true, passkeys: [] });
  });
  if (isRemoved) await mailSecurityNotice(ctx, 'second_factor_removed', userId);
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
    if ((await findTotp(tx, userId)) === undefined) throw new AppError('not_found');
    beside.recoveryCodes = await replaceRecoveryCodes(tx, userId);
    await addSecurityNotice(ctx, command, 'recovery_codes_made', userId);
    return { id: userId, version: accessVersion };
  });
  if (beside.recoveryCodes !== undefined) await mailSecurityNotice(ctx, 'recovery_codes_made', userId);
  return { ...changed, ...beside };
}

/**
 * Removes every second factor of a person who has lost the phone, also passkeys, and ends all their sessions. The password alone
 * then signs them in again; if their role needs a second factor, they set one up at that sign-in.
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
    const removed = await removeSecondFactors(tx, userId);
    if (removed === undefined) return unchanged(command, userId);
    isRemoved = true;
    await ctx.services.sessions.endAllForUser(userId, tx);
    await command.recordSessionsEnded(userId, 'all');
    await addSecurityNotice(ctx, command, 'second_factor_removed', userId);
    return publishRemovedFactors(command, userId, removed);
  });
  if (isRemoved) await mailSecurityNotice(ctx, 'second_factor_removed', userId);
  return changed;
}

async function unchanged({ tx }: Command, userId: string): Promise<Changed> {
  return { id: userId, version: (await findPerson(tx, userId))?.version ?? 0 };
}
