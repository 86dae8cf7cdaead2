import { AppError } from '#shared/errors.ts';
import { can } from '#shared/permissions.ts';
import { findPerson } from '../access/people.ts';
import type { Command } from '../kernel/commands.ts';
import { lockAdministration } from './setup-code.ts';

/**
 * Checks again whether the caller may manage people, and locks that state until the transaction ends. Without the lock, a
 * person who loses the role in the meantime could still make a link, which would be valid for days.
 * @throws AppError `forbidden`
 */
export async function assertStillManages({ tx, actor }: Pick<Command, 'tx' | 'actor'>): Promise<void> {
  await lockAdministration(tx);
  const present = await findPerson(tx, actor.userId);
  const manages = present?.deactivatedAt === null && can(present.role ?? undefined, 'manage_users');
  if (!manages) throw new AppError('forbidden');
}
