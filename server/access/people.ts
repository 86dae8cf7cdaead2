import { and, desc, eq, inArray, isNull, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import type { BuildingAccess } from '#shared/features/users/session.ts';
import type { Person } from '#shared/features/users/users.ts';
import { can, type Permission, parseRole, ROLES, type Role } from '#shared/permissions.ts';
import type { View } from '#shared/views.ts';

/** The role of a person without a row in `user_roles`. A viewer sees nothing until a building is assigned. */
const DEFAULT_ROLE: Role = 'viewer';

/** Parses a stored role: null becomes viewer, an unknown value becomes undefined, which grants no permission. */
export function roleFrom(stored: string | null): Role | undefined {
  return stored === null ? DEFAULT_ROLE : parseRole(stored);
}

/** SQL for the person's newest role, as stored. A function, because a built query can be used only once. */
export function newestRole(db: Queryable) {
  return sql<string | null>`(${db
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(eq(userRoles.userId, profiles.id))
    .orderBy(desc(userRoles.assignedAt), desc(userRoles.id))
    .limit(1)})`;
}

/**
 * SQL for the ids of the buildings assigned to a person, without archived ones. The subquery lists the archived buildings,
 * because they are few.
 */
function givenBuildings() {
  // `profiles` as a table: `${profiles.id}` would become just `id` in a list of columns, and `id` is another column here.
  return sql<string[]>`array(
    select g.location_id from ${userLocationAccess} g
    where g.user_id = ${profiles}.id
      and g.location_id <> all(array(select a.id from ${buildings} a where a.archived_at is not null))
    order by g.location_id)`;
}

/** The columns that `toPerson` needs. */
export function personColumns(db: Queryable) {
  return {
    id: profiles.id,
    email: profiles.email,
    firstName: profiles.firstName,
    lastName: profiles.lastName,
    storedRole: newestRole(db),
    buildings: givenBuildings(),
    createdAt: profiles.createdAt,
    deactivatedAt: profiles.deactivatedAt,
    invitedAt: profiles.invitedAt,
    version: profiles.version,
  };
}

/** Turns a row selected with `personColumns` into a person. */
export function toPerson({
  storedRole,
  ...rest
}: Omit<Person, 'role'> & { storedRole: string | null }): Person {
  return { ...rest, role: roleFrom(storedRole) ?? null };
}

const selectPerson = statement((db, given: Given<{ userId: string }>) =>
  db.select(personColumns(db)).from(profiles).where(eq(profiles.id, given.userId)),
);

/** Reads a person by id; undefined if there is none. */
export async function findPerson(db: Queryable, userId: string): Promise<Person | undefined> {
  const [row] = await selectPerson(db, { userId });
  return row && toPerson(row);
}

/** A principal's whole access, in the form that the live stream caches. */
export type Access = {
  /** The id of the person, or of the display. */
  userId: string;
  role: Role | null;
  /** The view of a display, which has no role. */
  view?: View;
  buildings: BuildingAccess;
  version: number;
  disabled: boolean;
};

/** Derives the access from a person: an administrator sees all buildings, an unknown role sees none. */
export function accessOf(person: Person): Access {
  return {
    userId: person.id,
    role: person.role,
    buildings: person.role === 'admin' ? 'all' : person.role === null ? [] : person.buildings,
    version: person.version,
    disabled: person.deactivatedAt !== null,
  };
}

/** Reads the current access of these people; ids that do not exist are left out. */
export async function readAccess(db: Queryable, userIds: readonly string[]): Promise<Access[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .select(personColumns(db))
    .from(profiles)
    .where(inArray(profiles.id, [...userIds]));
  return rows.map(toPerson).map(accessOf);
}

/** Reads the version of these people's access; ids that do not exist are left out. */
export async function readVersions(
  db: Queryable,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ id: profiles.id, version: profiles.version })
    .from(profiles)
    .where(isAnyOf(profiles.id, userIds));
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Lists the people who have a permission and may see a building, by name. */
export function peopleAt(
  db: Queryable,
  buildingId: string,
  permission: Permission,
): Promise<{ id: string; name: string }[]> {
  return selectPeopleAt(db, buildingId, permission, undefined);
}

/** Returns whether a person has a permission and may see a building. */
export async function isPersonAt(
  db: Queryable,
  buildingId: string,
  userId: string,
  permission: Permission,
): Promise<boolean> {
  return (await selectPeopleAt(db, buildingId, permission, userId)).length > 0;
}

async function selectPeopleAt(
  db: Queryable,
  buildingId: string,
  permission: Permission,
  userId: string | undefined,
): Promise<{ id: string; name: string }[]> {
  const name = sql<string>`trim(${profiles.firstName} || ' ' || ${profiles.lastName})`;
  const role = () => sql<string>`coalesce(${newestRole(db)}, ${DEFAULT_ROLE})`;
  const granted = sql`exists (
    select 1 from ${userLocationAccess}
    where ${userLocationAccess.userId} = ${profiles.id} and ${userLocationAccess.buildingId} = ${buildingId})`;
  return db
    .select({ id: profiles.id, name })
    .from(profiles)
    .where(
      and(
        isNull(profiles.deactivatedAt),
        userId === undefined ? undefined : eq(profiles.id, userId),
        inArray(
          role(),
          ROLES.filter((each) => can(each, permission)),
        ),
        sql`(${role()} = 'admin' or ${granted})`,
      ),
    )
    .orderBy(sql`${profiles.sortKey} collate "C"`, profiles.id);
}

/** Returns whether a person has ever had a role with this permission, according to the present permissions of the roles. */
export async function everHadPermission(
  db: Queryable,
  userId: string,
  permission: Permission,
): Promise<boolean> {
  const roles = ROLES.filter((role) => can(role, permission));
  const found = await db
    .select({ id: userRoles.id })
    .from(userRoles)
    .where(and(eq(userRoles.userId, userId), inArray(userRoles.role, roles)))
    .limit(1);
  return found.length > 0;
}

// Begins with `user_roles`, because few of its rows are `admin`.
function administrators(db: Queryable) {
  const later = alias(userRoles, 'later');
  const isNewest = notExists(
    db
      .select({ id: later.id })
      .from(later)
      .where(
        and(
          eq(later.userId, userRoles.userId),
          sql`(${later.assignedAt}, ${later.id}) > (${userRoles.assignedAt}, ${userRoles.id})`,
        ),
      ),
  );
  return db
    .select({ id: profiles.id })
    .from(userRoles)
    .innerJoin(profiles, eq(profiles.id, userRoles.userId))
    .where(
      and(eq(userRoles.role, 'admin'), isNull(profiles.deactivatedAt), isNull(profiles.invitedAt), isNewest),
    );
}

/** Reads the administrators who can sign in. */
export function readAdministrators(
  db: Queryable,
): Promise<{ id: string; email: string; firstName: string }[]> {
  return db
    .select({ id: profiles.id, email: profiles.email, firstName: profiles.firstName })
    .from(profiles)
    .where(inArray(profiles.id, administrators(db)));
}

/** SQL for whether an administrator who can sign in exists. */
export function administratorIsThere(db: Queryable) {
  return sql<boolean>`exists(${administrators(db)})`;
}

const selectAdministrator = statement((db, _given: Given<Record<never, unknown>>) =>
  administrators(db).limit(1),
);

/** Returns whether an administrator who can sign in exists. Without one the installation is in Setup Mode (ruling R2). */
export async function administratorExists(db: Queryable): Promise<boolean> {
  return (await selectAdministrator(db, {})).length > 0;
}

/** Counts the administrators who can sign in: neither deactivated nor only invited. */
export async function countAdministrators(db: Queryable): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(profiles)
    .where(and(isNull(profiles.deactivatedAt), isNull(profiles.invitedAt), sql`${newestRole(db)} = 'admin'`));
  return row?.count ?? 0;
}
