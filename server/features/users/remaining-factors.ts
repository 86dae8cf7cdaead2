import { AppError } from '#shared/errors.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { findPerson } from '../../access/people.ts';
import { forgetSecondFactor, hasSecondFactor } from '../../accounts/second-factors.ts';
import type { Command } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

/**
 * After the actor has removed a second factor: earlier sessions no longer count as begun with one, and end if the role needs
 * one.
 * @throws AppError `forbidden` if the role needs a second factor and none is left
 */
export async function endWithoutSecondFactor(
  { services, actor }: SignedInContext,
  command: Command,
): Promise<void> {
  const { tx } = command;
  const { userId, sessionId } = actor;
  const role = (await findPerson(tx, userId))?.role ?? null;
  const isNeeded = needsSecondFactor(services.signIn, role);
  if (isNeeded && !(await hasSecondFactor(tx, userId))) {
    throw new AppError('forbidden', { message: secondFactorMessages.required });
  }
  await forgetSecondFactor(tx, { userId, sessionId });
  if (!isNeeded || role === null) return;
  const ended = await services.sessions.reckon(userId, role, tx);
  if (ended.length > 0) await command.recordSessionsEnded(userId, ended);
}
