import { and, eq, isNull, not } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf, isAnyOfTexts } from '#db/is-any-of.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import type { Person } from '#shared/features/users/users.ts';
import type { Changes } from '#shared/live/live.ts';
import type { Role } from '#shared/permissions.ts';
import { countAdministrators } from '../../access/people.ts';
import { giveBuildings } from '../../accounts/give-buildings.ts';
import { giveRole } from '../../accounts/give-role.ts';
import { changePerson } from '../../accounts/person-change.ts';
import type { Services } from '../../kernel/context.ts';
import type { EventWriter } from '../../kernel/recorder.ts';
import { isEmergencyAdmin } from '../../kernel/sign-in/sign-in.ts';

type MappingServices = Pick<Services, 'sessions' | 'mail' | 'signIn'>;

export type Mapped = {
  userId: string;
  /** Undefined if the provider does not assign roles. */
  role: Role | undefined;
  /** Codes of buildings; undefined if the provider does not assign buildings. */
  codes: readonly string[] | undefined;
  at: string;
};

/**
 * Gives a person the role and the buildings that the provider decides, and takes others away.
 * @param tx has locked the administration if there is a role
 */
export async function applyMapping(
  tx: Transaction,
  services: MappingServices,
  recording: EventWriter,
  { userId, role, codes, at }: Mapped,
): Promise<void> {
  await changePerson({ tx, ...recording }, userId, async (person) => {
    const changes: Changes = {};
    if (role !== undefined && role !== person.role && !(await keepsAdminRole(tx, services, person))) {
      await giveRole(tx, services, recording, person, role, { id: null, at });
      changes['role'] = [person.role, role];
    }
    if (codes !== undefined) {
      const [gone, added] = await setBuildings(tx, { userId, codes, had: person.buildings, at });
      if (gone.length + added.length > 0) changes['buildings'] = [gone, added];
    }
    return Object.keys(changes).length === 0 ? null : changes;
  });
}

/**
 * Whether a person keeps the administrator role whatever a provider assigns: the last administrator, because nobody
 * else could undo the effects of a wrong mapping, and the emergency administrator.
 */
export async function keepsAdminRole(
  tx: Transaction,
  { signIn }: Pick<MappingServices, 'signIn'>,
  person: Pick<Person, 'email' | 'role'>,
): Promise<boolean> {
  if (person.role !== 'admin') return false;
  return isEmergencyAdmin(signIn, person) || (await countAdministrators(tx)) < 2;
}

/** Sets a person's buildings, ignoring unknown and archived codes. @returns the ids of revoked and added buildings */
async function setBuildings(
  tx: Transaction,
  {
    userId,
    codes,
    had,
    at,
  }: { userId: string; codes: readonly string[]; had: readonly string[]; at: string },
): Promise<[string[], string[]]> {
  const wanted = await tx
    .select({ id: buildings.id })
    .from(buildings)
    .where(and(isAnyOfTexts(buildings.code, codes), isNull(buildings.archivedAt)))
    .orderBy(buildings.id)
    .for('key share');
  const has = wanted.map(({ id }) => id);
  // Archived buildings, too, which the person would see again when they are restored.
  const deleted = await tx
    .delete(userLocationAccess)
    .where(and(eq(userLocationAccess.userId, userId), not(isAnyOf(userLocationAccess.buildingId, has))))
    .returning({ id: userLocationAccess.buildingId });
  const gone = new Set(deleted.map(({ id }) => id));
  const added = await giveBuildings(tx, { userId, buildingIds: has, at, by: null });
  return [had.filter((id) => gone.has(id)), added];
}
