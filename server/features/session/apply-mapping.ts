import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
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
  /** Undefined: the provider decides no roles. */
  role: Role | undefined;
  /** Codes of buildings; undefined: the provider decides no buildings. */
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
    if (role !== undefined && role !== person.role && !(await mustStay(tx, services, person))) {
      await giveRole(tx, services, person, role, { id: null, at });
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
 * Whether no provider may take a person's role: of the last administrator, without whom nobody could undo a mistake in the
 * mapping, and of the one who may still use a password.
 */
export async function mustStay(
  tx: Transaction,
  { signIn }: Pick<MappingServices, 'signIn'>,
  person: Pick<Person, 'email' | 'role'>,
): Promise<boolean> {
  if (person.role !== 'admin') return false;
  return isEmergencyAdmin(signIn, person) || (await countAdministrators(tx)) < 2;
}

/** @returns the ids that were taken away, and those that were given; codes that are unknown or archived count for nothing */
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
    .where(and(isCode(codes), isNull(buildings.archivedAt)))
    .orderBy(buildings.id)
    .for('key share');
  const has = new Set(wanted.map(({ id }) => id));
  const gone = had.filter((id) => !has.has(id));
  if (gone.length > 0) {
    await tx
      .delete(userLocationAccess)
      .where(and(eq(userLocationAccess.userId, userId), isAnyOf(userLocationAccess.buildingId, gone)));
  }
  const added = await giveBuildings(tx, { userId, buildingIds: [...has], at, by: null });
  return [gone, added];
}

/** One parameter for any number of codes. */
function isCode(codes: readonly string[]) {
  return sql`${buildings.code} in (select jsonb_array_elements_text(${JSON.stringify(codes)}::jsonb))`;
}
