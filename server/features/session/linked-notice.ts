import type { Transaction } from '#db/client.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import type { Context } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';

/**
 * Notifies a person in their other sessions that an external account was linked to theirs.
 * @param sessionId the session that began with this sign-in
 * @returns the notice, to be mailed after the commit
 */
export async function addLinkedNotice(
  tx: Transaction,
  { services, address, userAgent }: Context,
  userId: string,
  sessionId: string,
) {
  const at = services.clock.now().toISOString();
  const notice = { kind: 'provider_linked', at, address, userAgent } as const;
  const recording = recorder(tx, { command: 'session.signInAt', actor: userId, operationId: null, at });
  await addNotice(tx, recording, { ...notice, userId, byId: null, sessionId });
  return { ...notice, by: null };
}
