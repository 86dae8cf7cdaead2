import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { externalIdentities } from '#db/schema/identities.ts';
import { userRoles } from '#db/schema/people.ts';
import type { Person } from '#shared/features/users/users.ts';
import type { Role } from '#shared/permissions.ts';
import { lifetimeOf } from '../access/session-lifetime.ts';
import type { Services } from '../kernel/context.ts';
import { dropSeenLinks } from './account-links.ts';
import { deleteSetupCodes } from './setup-code.ts';

/**
 * Gives a person another role, with what follows from it for sessions, and for links and permissions that the person has made.
 * @param tx has locked the administration, and then the person
 * @param by.id the administrator; null: the organisation's provider
 */
export async function giveRole(
  tx: Transaction,
  services: Pick<Services, 'sessions' | 'mail'>,
  person: Pick<Person, 'id' | 'role'>,
  role: Role,
  by: { id: string | null; at: string },
): Promise<void> {
  await tx.insert(userRoles).values({ userId: person.id, role, assignedAt: by.at, assignedBy: by.id });
  await services.sessions.reckon(person.id, lifetimeOf(role), tx);
  if (role === 'admin') await deleteSetupCodes(tx);
  if (person.role !== 'admin') return;
  await dropSeenLinks(tx, services, person.id);
  await tx
    .delete(externalIdentities)
    .where(and(eq(externalIdentities.allowedBy, person.id), isNull(externalIdentities.subject)));
}
