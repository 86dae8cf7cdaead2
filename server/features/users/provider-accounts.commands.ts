import { and, eq, inArray, isNull } from 'drizzle-orm';
import { externalIdentities, externalSessions } from '#db/schema/identities.ts';
import { sessions } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type { AccountNotice, Person, ProviderAccountInput } from '#shared/features/users/users.ts';
import { uuidv7 } from '#shared/ids.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { type Changed, changePerson } from '../../accounts/person-change.ts';
import { assertStillManages } from '../../accounts/still-manages.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';

/**
 * Permits a person to link an account: the next sign-in at the provider with their e-mail address links it.
 * @throws AppError `not_found` if there is no such provider
 */
export async function allowProvider(ctx: SignedInContext, input: ProviderAccountInput): Promise<Changed> {
  /** Set by the transaction, to be mailed after its commit. */
  const told: { notice?: { person: Person } & Omit<AccountNotice, 'id'> } = {};
  const changed = await runCommand(ctx, 'users.allowProvider', input, async (command) => {
    const name = providerName(ctx, input.provider);
    await assertStillManages(command);
    return changePerson(command, input.userId, async (person) => {
      const { tx, actor, now } = command;
      const { userId, provider } = input;
      const row = { id: uuidv7(), userId, provider, subject: null, allowedBy: actor.userId, createdAt: now };
      const added = await tx
        .insert(externalIdentities)
        .values({ ...row, linkedBy: 'administrator' })
        .onConflictDoUpdate({
          target: [externalIdentities.userId, externalIdentities.provider],
          set: { allowedBy: actor.userId, createdAt: now },
          setWhere: isNull(externalIdentities.subject),
        })
        .returning({ id: externalIdentities.id });
      if (added.length === 0) return null;
      const { address, userAgent } = ctx;
      const notice = { kind: 'provider_allowed', at: now, address, userAgent } as const;
      const sessionId = userId === actor.userId ? actor.sessionId : null;
      await addNotice(tx, command, { ...notice, userId, byId: actor.userId, sessionId });
      told.notice = { person, ...notice, by: `${actor.firstName} ${actor.lastName}` };
      return { signInAllowed: [null, name] };
    });
  });
  if (told.notice !== undefined) mailNotice(ctx.services, told.notice.person, told.notice);
  return changed;
}

/** Unlinks a person's account at a provider, or withdraws the permission, and ends the sessions that began there. */
export function unlinkProvider(ctx: SignedInContext, input: ProviderAccountInput): Promise<Changed> {
  return runCommand(ctx, 'users.unlinkProvider', input, async (command) => {
    // The provider may no longer be configured.
    const name = ctx.services.signIn.providers.settingsOf(input.provider)?.name ?? input.provider;
    await assertStillManages(command);
    const changed = await changePerson(command, input.userId, async () => {
      const removed = await command.tx
        .delete(externalIdentities)
        .where(
          and(eq(externalIdentities.userId, input.userId), eq(externalIdentities.provider, input.provider)),
        )
        .returning({ id: externalIdentities.id });
      return removed.length === 0 ? null : { signInAt: [name, null] };
    });
    await endSessionsAt(command, input);
    return changed;
  });
}

async function endSessionsAt(
  { tx, recordSessionsEnded }: Command,
  { userId, provider }: ProviderAccountInput,
) {
  const begun = tx
    .select({ id: externalSessions.sessionId })
    .from(externalSessions)
    .where(eq(externalSessions.provider, provider));
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), inArray(sessions.id, begun)))
    .returning({ id: sessions.id });
  if (ended.length > 0) {
    await recordSessionsEnded(
      userId,
      ended.map(({ id }) => id),
    );
  }
}

/** The name of a provider, for Activity. */
function providerName({ services }: SignedInContext, provider: string): string {
  const settings = services.signIn.providers.settingsOf(provider);
  if (settings === undefined) throw new AppError('not_found');
  return settings.name;
}
