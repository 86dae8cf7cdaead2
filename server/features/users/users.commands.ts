import { and, eq } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { userLocationAccess } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { AccessInput, AccessManyInput, Person, SetRoleInput } from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { can, ROLE_LABELS } from '#shared/permissions.ts';
import { lockBuildings } from '../../access/lock-buildings.ts';
import { administratorExists, countAdministrators, findPerson } from '../../access/people.ts';
import { giveBuildings } from '../../accounts/give-buildings.ts';
import { giveRole } from '../../accounts/give-role.ts';
import { type Changed, changePerson } from '../../accounts/person-change.ts';
import { isSetupCode, lockAdministration } from '../../accounts/setup-code.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { isEmergencyAdmin } from '../../kernel/sign-in/sign-in.ts';

/**
 * Gives a person another role. Earlier roles stay as history (ruling R5).
 * @throws AppError `conflict` if the role is no longer the one that the caller saw
 */
export function setRole(ctx: SignedInContext, input: SetRoleInput): Promise<Changed> {
  return runCommand(ctx, 'users.setRole', input, async (command) => {
    await lockAdministration(command.tx);
    await assertMaySetRole(command, input);
    return changePerson(command, input.userId, async (person) => {
      const seen = input.from === undefined ? person.role : input.from;
      const { role } = mergeEdit<Pick<Person, 'role'>>(
        person,
        person.version,
        { role: { from: seen, to: input.role } },
        userMessages.roleMovedOn(person.role === null ? 'none' : ROLE_LABELS[person.role]),
      );
      if (role === undefined) return null;
      const active = person.deactivatedAt === null && person.invitedAt === null;
      if (person.role === 'admin' && active && (await countAdministrators(command.tx)) < 2) {
        throw new AppError('forbidden', { message: userMessages.lastAdmin });
      }
      if (isEmergencyAdmin(ctx.services.signIn, person)) {
        throw new AppError('forbidden', { message: signInMessages.emergencyStays });
      }
      const by = { id: command.actor.userId, at: command.now };
      await giveRole(command.tx, ctx.services, command, person, input.role, by);
      return { role: [person.role, input.role] };
    });
  });
}

// Checked again under the lock, because the caller's role may have changed since the guard.
async function assertMaySetRole({ tx, actor }: Command, input: SetRoleInput): Promise<void> {
  const present = await findPerson(tx, actor.userId);
  if (can(present?.role ?? undefined, 'manage_users')) return;
  if (await administratorExists(tx)) throw new AppError('forbidden');
  // Setup Mode (ruling R2): only for oneself, only to administrator, and only with the code that the server printed.
  if (input.userId !== actor.userId || input.role !== 'admin') {
    throw new AppError('forbidden', { message: userMessages.ownRoleUp });
  }
  if (input.setupCode === undefined || !(await isSetupCode(tx, input.setupCode))) {
    throw new AppError('forbidden', { message: messages.session.setupCodeWrong });
  }
}

/** Assigns a building to a person. */
export function grant(ctx: SignedInContext, input: AccessInput): Promise<Changed> {
  return runCommand(ctx, 'users.grant', input, async (command) => {
    const { tx, actor, now } = command;
    const { userId, buildingId } = input;
    return changePerson(command, userId, async () => {
      await lockBuildings(tx, [buildingId]);
      const added = await tx
        .insert(userLocationAccess)
        .values({ userId, buildingId, grantedAt: now, grantedBy: actor.userId })
        .onConflictDoNothing()
        .returning({ buildingId: userLocationAccess.buildingId });
      return added.length === 0 ? null : { building: [null, buildingId] };
    });
  });
}

/** Takes a building away from a person; their live streams lose it at once. */
export function revoke(ctx: SignedInContext, input: AccessInput): Promise<Changed> {
  return runCommand(ctx, 'users.revoke', input, (command) =>
    changePerson(command, input.userId, async () => {
      const removed = await command.tx
        .delete(userLocationAccess)
        .where(
          and(
            eq(userLocationAccess.userId, input.userId),
            eq(userLocationAccess.buildingId, input.buildingId),
          ),
        )
        .returning({ buildingId: userLocationAccess.buildingId });
      return removed.length === 0 ? null : { building: [input.buildingId, null] };
    }),
  );
}

/** Assigns or takes away many buildings at once, such as all of a client; ignores those already in that state. */
export function setAccess(ctx: SignedInContext, input: AccessManyInput): Promise<Changed> {
  const { userId, granted } = input;
  return runCommand(ctx, 'users.setAccess', input, async (command) => {
    const { tx, actor, now } = command;
    return changePerson(command, userId, async () => {
      const wanted = await lockBuildings(tx, input.buildingIds);
      if (granted) {
        const added = await giveBuildings(tx, { userId, buildingIds: wanted, at: now, by: actor.userId });
        return added.length === 0 ? null : { buildings: [[], added] };
      }
      const removed = await tx
        .delete(userLocationAccess)
        .where(and(eq(userLocationAccess.userId, userId), isAnyOf(userLocationAccess.buildingId, wanted)))
        .returning({ id: userLocationAccess.buildingId });
      return removed.length === 0 ? null : { buildings: [removed.map(({ id }) => id), []] };
    });
  });
}
