import { AppError } from '#shared/errors.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { findPerson } from '../../access/people.ts';
import { countPasskeysAt } from '../../accounts/passkeys.ts';
import { findTotp, forgetSecondFactor } from '../../accounts/second-factors.ts';
import { relyingPartyOf } from '../../adapters/auth/passkeys.ts';
import type { Command } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

/**
 * Finishes the removal of one of the actor's own second factors. If the role needs a second factor, ends the sessions that no
 * longer count as begun with a second factor.
 * @throws AppError `forbidden` if the role needs a second factor and none is left that can be used at this address
 */
export async function afterFactorRemoval(
  { services, actor, origin }: SignedInContext,
  command: Command,
): Promise<void> {
  const { tx } = command;
  const { userId, sessionId } = actor;
  const role = (await findPerson(tx, userId))?.role ?? null;
  const isNeeded = needsSecondFactor(services.signIn, role);
  // A passkey of another host, such as one from before a move, would leave the person unable to sign in.
  const rpId = relyingPartyOf(origin)?.id;
  const isLeft = (await findTotp(tx, userId)) !== undefined || (await countPasskeysAt(tx, userId, rpId)) > 0;
  if (isNeeded && !isLeft) throw new AppError('forbidden', { message: secondFactorMessages.required });
  await forgetSecondFactor(tx, { userId, sessionId }, isLeft);
  if (!isNeeded || role === null) return;
  const ended = await services.sessions.reckon(userId, role, tx);
  if (ended.length > 0) await command.recordSessionsEnded(userId, ended);
}
