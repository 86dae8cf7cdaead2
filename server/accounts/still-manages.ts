import { AppError } from '#shared/errors.ts';
import { can } from '#shared/permissions.ts';
import { findPerson } from '../access/people.ts';
import type { Command } from '../kernel/commands.ts';
import { lockAdministration } from './setup-code.ts';

/**
 * Decides again whether the caller manages people, and holds it so until the transaction ends: a link that was made while
 * its maker lost the role would be good for days.
 * @throws AppError `forbidden`
 */
export async function holdStillManages({ tx, actor }: Pick<Command, 'tx' | 'actor'>): Promise<void> {
  await lockAdministration(tx);
  const present = await findPerson(tx, actor.userId);
  const manages = present?.deactivatedAt === null && can(present.role ?? undefined, 'manage_users');
  if (!manages) throw new AppError('forbidden');
}
