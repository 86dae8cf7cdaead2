import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { profiles, userRoles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type {
  InviteInput,
  LinkDelivery,
  LinkKind,
  MakeLinkInput,
  Person,
} from '#shared/features/users/users.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { lockBuildings } from '../../access/lock-buildings.ts';
import { findPerson } from '../../access/people.ts';
import { LINK_LIFE_MS, type MadeLink, makeAccountLink } from '../../accounts/account-links.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import { giveBuildings } from '../../accounts/give-buildings.ts';
import { mailLink } from '../../accounts/link-mail.ts';
import { type Changed, changePerson } from '../../accounts/person-change.ts';
import { assertStillManages } from '../../accounts/still-manages.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';

/** The stored answer of a call that makes a link: everything but its secret (rule S5). */
type StoredLink = Changed & { kind: LinkKind; expiresAt: string };
/**
 * The answer to the administrator: when the link expires, and whether it was mailed. The secret is only in the first
 * answer, and only if no mail is configured.
 */
export type LinkMade = StoredLink & { mailed: LinkDelivery; token?: string };

/** Adds a person with role and buildings, and makes the link with which they choose a password. */
export async function invite(ctx: SignedInContext, input: InviteInput): Promise<LinkMade> {
  const beside: Beside = {};
  const made = await runCommand(ctx, 'users.invite', input, async (command) => {
    const { tx, actor, now } = command;
    await assertStillManages(command);
    await addProfile(tx, input, now);
    await tx
      .insert(userRoles)
      .values({ userId: input.id, role: input.role, assignedAt: now, assignedBy: actor.userId });
    const given = await lockBuildings(tx, input.buildingIds);
    await giveBuildings(tx, { userId: input.id, buildingIds: given, at: now, by: actor.userId });
    const userId = input.id;
    const link = { userId, kind: 'invite', madeBy: actor.userId } as const;
    beside.link = await makeAccountLink(tx, link, new Date(now), LINK_LIFE_MS.invite);
    const row = await findPerson(tx, userId);
    if (row === undefined) throw new Error('a row that was just inserted is gone');
    await command.record({ entity: 'person', op: 'put', row, changes: null });
    const { expiresAt } = beside.link;
    return { id: userId, version: row.version, kind: 'invite' as const, expiresAt };
  });
  return handOver(ctx, made, beside.link && { ...beside.link, ...input });
}

/** Results of the transaction that must not be stored; empty for a repeated call. */
type Beside = { link?: MadeLink; person?: Person };

async function handOver(
  { services, actor }: SignedInContext,
  made: StoredLink,
  link: (MadeLink & { email: string; firstName: string }) | undefined,
): Promise<LinkMade> {
  if (link === undefined) return { ...made, mailed: 'unknown' };
  const { email, firstName, token, expiresAt } = link;
  const madeBy = `${actor.firstName} ${actor.lastName}`;
  const mailed = await mailLink(services, { kind: made.kind, email, firstName, token, expiresAt, madeBy });
  return mailed === 'none' ? { ...made, mailed, token } : { ...made, mailed };
}

async function addProfile(tx: Transaction, input: InviteInput, now: string): Promise<void> {
  const { id, email, firstName, lastName } = input;
  const [taken] = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(sql`lower(${profiles.email}) = ${email}`);
  if (taken !== undefined) throw emailTaken();
  try {
    await tx.insert(profiles).values({ id, email, firstName, lastName, createdAt: now, invitedAt: now });
  } catch (error) {
    // Another command has invited the same person since the check.
    if (isDuplicate(error, 'profiles_email_key')) throw emailTaken();
    if (isDuplicate(error)) throw new AppError('not_found');
    throw error;
  }
}

function emailTaken(): AppError {
  return new AppError('invalid', { data: { fields: { email: userMessages.emailTaken } } });
}

/**
 * Makes another link for a person: an invitation until they have chosen a password, afterwards a link to a new password.
 */
export async function makeLink(ctx: SignedInContext, input: MakeLinkInput): Promise<LinkMade> {
  const beside: Beside = {};
  const made = await runCommand(ctx, 'users.makeLink', input, async (command) => {
    const { tx, actor, now } = command;
    // Such a link would change the administrator's own password without asking for the present one.
    if (input.userId === actor.userId) throw new AppError('forbidden', { message: userMessages.ownLink });
    await assertStillManages(command);
    const { id, version } = await changePerson(command, input.userId, async (person) => {
      if (person.deactivatedAt !== null) throw new AppError('forbidden', { message: userMessages.inactive });
      return { link: [null, kindFor(person)] };
    });
    const person = await findPerson(tx, id);
    if (person === undefined) throw new Error('a locked row is gone');
    const kind = kindFor(person);
    const link = { userId: id, kind, madeBy: actor.userId };
    beside.link = await makeAccountLink(tx, link, new Date(now), LINK_LIFE_MS[kind]);
    beside.person = person;
    if (kind === 'reset') {
      const { address, userAgent } = ctx;
      const by = { byId: actor.userId, sessionId: actor.sessionId, address, userAgent };
      await addNotice(tx, command, { userId: id, kind: 'link_made', at: now, ...by });
    }
    return { id, version, kind, expiresAt: beside.link.expiresAt };
  });
  return handOver(ctx, made, beside.link && beside.person && { ...beside.link, ...beside.person });
}

function kindFor({ invitedAt }: Person): LinkKind {
  return invitedAt === null ? 'reset' : 'invite';
}
