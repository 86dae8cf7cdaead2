import type { Transaction } from '#db/client.ts';
import { findPerson } from '../../access/people.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import type { Context } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';

/**
 * Notifies a person in their windows.
 * @returns the notice, to be mailed after the commit
 */
export async function addSecondFactorNotice(
  tx: Transaction,
  { services, address, userAgent }: Context,
  kind: 'second_factor_added' | 'second_factor_failed' | 'recovery_code_used',
  userId: string,
  sessionId: string | null,
) {
  const at = services.clock.now().toISOString();
  const notice = { kind, at, address, userAgent };
  const by = { command: 'session.completeSignIn', actor: userId, operationId: null, at };
  await addNotice(tx, recorder(tx, by), { ...notice, userId, byId: null, sessionId });
  const person = await findPerson(tx, userId);
  if (person === undefined) throw new Error('people are never deleted');
  return { ...notice, by: null, person };
}

/** Notifies a person that the password and several wrong codes were entered, by mail as well. */
export async function notifyOfWrongCodes(ctx: Context, userId: string): Promise<void> {
  const { services } = ctx;
  const notice = await services.db.transaction((tx) =>
    addSecondFactorNotice(tx, ctx, 'second_factor_failed', userId, null),
  );
  services.sequencer.schedule();
  mailNotice(services, notice.person, notice);
}
