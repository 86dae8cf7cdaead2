import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import type { Changes } from '#shared/live/live.ts';
import type { Role } from '#shared/permissions.ts';
import { countAdministrators, findPerson } from '../../access/people.ts';
import { lifetimeOf } from '../../access/session-lifetime.ts';
import { giveBuildings } from '../../accounts/give-buildings.ts';
import { publishPersonChange } from '../../accounts/publish-person-change.ts';
import { deleteSetupCodes } from '../../accounts/setup-code.ts';
import type { Services } from '../../kernel/context.ts';
import type { EventWriter } from '../../kernel/recorder.ts';

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
 * @param tx has locked the person, and before that the administration if there is a role
 */
export async function applyMapping(
  tx: Transaction,
  { sessions }: Pick<Services, 'sessions'>,
  recording: EventWriter,
  { userId, role, codes, at }: Mapped,
): Promise<void> {
  const before = await findPerson(tx, userId);
  if (before === undefined) throw new Error('people are never deleted');
  const changes: Changes = {};
  // The last administrator stays one: nobody could undo a mistake in the mapping otherwise.
  const isLast = before.role === 'admin' && role !== 'admin' && (await countAdministrators(tx)) < 2;
  if (role !== undefined && role !== before.role && !isLast) {
    await tx.insert(userRoles).values({ userId, role, assignedAt: at, assignedBy: null });
    await sessions.reckon(userId, lifetimeOf(role), tx);
    if (role === 'admin') await deleteSetupCodes(tx);
    changes['role'] = [before.role, role];
  }
  if (codes !== undefined) {
    const [gone, added] = await setBuildings(tx, { userId, codes, had: before.buildings, at });
    if (gone.length + added.length > 0) changes['buildings'] = [gone, added];
  }
  if (Object.keys(changes).length === 0) return;
  await tx
    .update(profiles)
    .set({ version: sql`${profiles.version} + 1` })
    .where(eq(profiles.id, userId));
  const after = await findPerson(tx, userId);
  if (after === undefined) throw new Error('a locked row is gone');
  await publishPersonChange(recording, before, after, changes);
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
  const wanted =
    codes.length === 0
      ? []
      : await tx
          .select({ id: buildings.id })
          .from(buildings)
          .where(and(inArray(buildings.code, [...codes]), isNull(buildings.archivedAt)))
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
