import type { Transaction } from '#db/client.ts';
import { userRoles } from '#db/schema/people.ts';
import type { Person } from '#shared/features/users/users.ts';
import type { Role } from '#shared/permissions.ts';
import { lifetimeOf } from '../access/session-lifetime.ts';
import type { Services } from '../kernel/context.ts';
import { revokeGiven } from './revoke-given.ts';
import { deleteSetupCodes } from './setup-code.ts';

/**
 * Gives a person another role. Adjusts the lifetime of the person's sessions, and revokes links and permissions that a
 * former administrator has given.
 * @param tx has locked the administration, and then the person
 * @param by.id the administrator; null if an identity provider assigns the role
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
  if (person.role === 'admin' && role !== 'admin') await revokeGiven(tx, services, person.id);
}
