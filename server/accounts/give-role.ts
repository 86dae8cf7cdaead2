import type { Transaction } from '#db/client.ts';
import { userRoles } from '#db/schema/people.ts';
import type { Person } from '#shared/features/users/users.ts';
import type { Role } from '#shared/permissions.ts';
import type { Services } from '../kernel/context.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { revokeGiven } from './revoke-given.ts';
import { deleteSetupCodes } from './setup-code.ts';

/**
 * Gives a person another role. Adjusts the lifetime of the person's sessions, and ends sessions without a second factor if the
 * role needs one. If the person was an administrator, also revokes what they have given (`revokeGiven`).
 * @param tx has locked the administration, and then the person
 * @param by.id the administrator; null if an identity provider assigns the role
 */
export async function giveRole(
  tx: Transaction,
  services: Pick<Services, 'sessions' | 'mail'>,
  recording: Pick<EventWriter, 'record' | 'recordBulk' | 'recordSessionsEnded'>,
  person: Pick<Person, 'id' | 'role'>,
  role: Role,
  by: { id: string | null; at: string },
): Promise<void> {
  await tx.insert(userRoles).values({ userId: person.id, role, assignedAt: by.at, assignedBy: by.id });
  const ended = await services.sessions.reckon(person.id, role, tx);
  if (ended.length > 0) await recording.recordSessionsEnded(person.id, ended);
  if (role === 'admin') await deleteSetupCodes(tx);
  if (person.role === 'admin' && role !== 'admin') {
    await revokeGiven(tx, services, recording, { administratorId: person.id, at: by.at });
  }
}
