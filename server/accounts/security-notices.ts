import type { NoticeKind } from '#shared/features/users/users.ts';
import { findPerson } from '../access/people.ts';
import type { Command } from '../kernel/commands.ts';
import type { SignedInContext } from '../kernel/context.ts';
import { addNotice } from './add-notice.ts';
import { mailNotice } from './notice-mail.ts';

/**
 * Notifies a person, in their windows, of a change of their account. If another person made the change, the notice names them.
 */
export async function addSecurityNotice(
  ctx: SignedInContext,
  command: Command,
  kind: NoticeKind,
  userId: string,
): Promise<void> {
  const { address, userAgent, actor } = ctx;
  const byId = userId === actor.userId ? null : actor.userId;
  const notice = { kind, at: command.now, address, userAgent, userId, byId, sessionId: actor.sessionId };
  await addNotice(command.tx, command, notice);
}

/** Mails the notice of `addSecurityNotice`, after the commit. */
export async function mailSecurityNotice(
  ctx: SignedInContext,
  kind: NoticeKind,
  userId: string,
): Promise<void> {
  const { services, actor, address, userAgent } = ctx;
  const person = await findPerson(services.db, userId);
  const by = userId === actor.userId ? null : `${actor.firstName} ${actor.lastName}`;
  const at = services.clock.now().toISOString();
  if (person !== undefined) mailNotice(services, person, { kind, at, address, userAgent, by });
}
