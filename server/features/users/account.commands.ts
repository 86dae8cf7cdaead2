import { and, eq } from 'drizzle-orm';
import { profiles, sessions } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type {
  EndMySessionInput,
  EndSessionsInput,
  RenameMeInput,
  SetActiveInput,
} from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { countAdministrators, findPerson } from '../../access/people.ts';
import { deleteLinksOf } from '../../accounts/account-links.ts';
import { type Changed, changePerson } from '../../accounts/person-change.ts';
import { revokeGiven } from '../../accounts/revoke-given.ts';
import { lockAdministration } from '../../accounts/setup-code.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isEmergencyAdmin } from '../../kernel/sign-in/sign-in.ts';

/** Deactivates a person, which ends all sessions at once, or activates them again. Their records stay. */
export function setActive(ctx: SignedInContext, input: SetActiveInput): Promise<Changed> {
  return runCommand(ctx, 'users.setActive', input, async (command) => {
    const { tx, actor, now } = command;
    await lockAdministration(tx);
    const changed = await changePerson(command, input.userId, async (person) => {
      if ((person.deactivatedAt === null) === input.active) return null;
      if (!input.active) {
        if (person.id === actor.userId) throw refused(userMessages.ownAccount);
        if (isEmergencyAdmin(ctx.services.signIn, person)) throw refused(signInMessages.emergencyStays);
        if (person.role === 'admin' && person.invitedAt === null && (await countAdministrators(tx)) < 2) {
          throw refused(userMessages.lastAdminActive);
        }
        await deleteLinksOf(tx, person.id);
        await revokeGiven(tx, ctx.services, command, { administratorId: person.id, at: now });
      }
      const deactivatedAt = input.active ? null : now;
      await tx.update(profiles).set({ deactivatedAt }).where(eq(profiles.id, person.id));
      return { deactivatedAt: [person.deactivatedAt, deactivatedAt] };
    });
    if (!input.active) await endAll(ctx, command, input.userId);
    return changed;
  });
}

function refused(message: string): AppError {
  return new AppError('forbidden', { message });
}

/** Ends one session of a person, or all of them. */
export function endSessions(ctx: SignedInContext, input: EndSessionsInput): Promise<Changed> {
  return runCommand(ctx, 'users.endSessions', input, async (command) => {
    const person = await findPerson(command.tx, input.userId);
    if (person === undefined) throw new AppError('not_found');
    if (input.sessionId === undefined) await endAll(ctx, command, person.id);
    else await endOne(command, person.id, input.sessionId);
    return { id: person.id, version: person.version };
  });
}

/** Ends one of the actor's own sessions. */
export function endMySession(ctx: SignedInContext, input: EndMySessionInput): Promise<Changed> {
  return runCommand(ctx, 'users.endMySession', input, async (command) => {
    const { userId, accessVersion } = command.actor;
    await endOne(command, userId, input.sessionId);
    return { id: userId, version: accessVersion };
  });
}

async function endAll({ services }: SignedInContext, command: Command, userId: string): Promise<void> {
  await services.sessions.endAllForUser(userId, command.tx);
  await command.recordSessionsEnded(userId, 'all');
}

// Does nothing if the session has ended already or belongs to another person.
async function endOne({ tx, recordSessionsEnded }: Command, userId: string, id: string): Promise<void> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  if (ended.length > 0) await recordSessionsEnded(userId, [id]);
}

/** Changes the actor's own name. */
export function renameMe(ctx: SignedInContext, input: RenameMeInput): Promise<Changed> {
  const { firstName, lastName } = input;
  return runCommand(ctx, 'users.renameMe', input, (command) =>
    changePerson(command, command.actor.userId, async (person) => {
      if (person.firstName === firstName && person.lastName === lastName) return null;
      await command.tx.update(profiles).set({ firstName, lastName }).where(eq(profiles.id, person.id));
      return {
        ...(person.firstName === firstName ? {} : { firstName: [person.firstName, firstName] }),
        ...(person.lastName === lastName ? {} : { lastName: [person.lastName, lastName] }),
      };
    }),
  );
}
