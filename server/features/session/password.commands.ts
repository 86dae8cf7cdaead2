import { and, eq, ne, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles, sessions } from '#db/schema/people.ts';
import { HOUR_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { accountMessages } from '#shared/features/account-messages.ts';
import type { Me } from '#shared/features/session.ts';
import type { ChangePasswordInput, FollowLinkInput, LinkInfo, Person } from '#shared/features/users.ts';
import type { Changes } from '#shared/live.ts';
import { messages } from '#shared/messages.ts';
import { sessionCookie } from '../../adapters/auth/cookie.ts';
import type { Context, Services, SignedInContext } from '../../context.ts';
import { describeError } from '../../database-errors.ts';
import { networkOf } from '../../http/network-of.ts';
import { isSecure } from '../../http/origin.ts';
import { leaveNotice } from '../../leave-notice.ts';
import { type Recorder, recorder } from '../../live-entities.ts';
import { dropLinksOf, LINK_LIFE_MS, makeAccountLink, readLink, takeLink } from '../../setup/account-links.ts';
import { mailLink } from '../../setup/link-mail.ts';
import { mailNotice } from '../../setup/notice-mail.ts';
import { tellPerson } from '../../tell-person.ts';
import { findPerson } from '../users/users.queries.ts';
import { admit, beginSession, holdAccount, markDevice } from './begin-session.ts';
import { assertGoodPassword, newPasswordMinimum } from './new-password.ts';
import { beginOwnAttempt, countTry, shortHash } from './throttle.ts';

// None of these is a repeatable operation: what a repeat is known by is a hash of its input, and a password could be
// guessed from it.

/** Links that somebody may ask for without being signed in. */
const PER_ACCOUNT = { max: 3, windowMs: HOUR_MS };
const PER_ADDRESS = { max: 100, windowMs: HOUR_MS };

/** What the page behind a one-time link shows. @throws AppError `not_found` for one that is not good any more */
export async function readLinkInfo({ services }: Context, token: string): Promise<LinkInfo> {
  const { kind, person } = await personBehind(services, token);
  return {
    kind,
    email: person.email,
    firstName: person.firstName,
    passwordMinLength: await newPasswordMinimum(services.db),
  };
}

async function personBehind(
  { db, clock }: Services,
  token: string,
): Promise<{ kind: LinkInfo['kind']; person: Person }> {
  const link = await readLink(db, token, clock.now());
  const person = link && (await findPerson(db, link.userId));
  if (link === undefined || person === undefined || person.deactivatedAt !== null) throw badLink();
  return { kind: link.kind, person };
}

function badLink(): AppError {
  return new AppError('not_found', { message: accountMessages.linkInvalid });
}

/** Sets the password that was chosen behind a one-time link, ends every other session, and signs in. */
export async function followLink(ctx: Context, input: FollowLinkInput): Promise<{ me: Me }> {
  const { services } = ctx;
  // A password that is not good enough must not use the link up.
  const behind = await personBehind(services, input.token);
  await assertGoodPassword(services, input.password, behind.person);
  const passwordHash = await services.passwords.hash(input.password);
  const now = services.clock.now();
  const { person, session, notice } = await services.db.transaction(async (tx) => {
    const link = await takeLink(tx, input.token, now);
    if (link === undefined) throw badLink();
    await holdAccount(tx, link.userId);
    const person = await findPerson(tx, link.userId);
    if (person === undefined || person.deactivatedAt !== null) throw badLink();
    await dropLinksOf(tx, person.id);
    await keepPassword(tx, person.id, passwordHash, now);
    const recording = recorder(tx, {
      command: 'session.followLink',
      actor: person.id,
      operationId: null,
      at: now.toISOString(),
    });
    const ended = await endSessionsBut(tx, person.id, undefined);
    if (ended.length > 0) await recording.recordSessionsEnded(person.id, ended);
    await tellOfPassword(tx, recording, person);
    const madeBy = link.madeBy === null ? null : await nameOf(tx, link.madeBy);
    const by = { command: 'session.followLink', link: { madeBy } };
    const session = await beginSession(tx, ctx, person.id, by);
    const notice = { ...passwordNotice(ctx, now, session.id), by: madeBy, byId: link.madeBy };
    await leaveNotice(tx, recording, { ...notice, userId: person.id });
    return { person, session, notice };
  });
  mailNotice(services, person, notice);
  return { me: await admit(ctx, { userId: person.id, passwordHash }, session) };
}

async function nameOf(tx: Transaction, userId: string): Promise<string | null> {
  const person = await findPerson(tx, userId);
  return person === undefined ? null : `${person.firstName} ${person.lastName}`;
}

function passwordNotice({ address, userAgent }: Context, now: Date, sessionId: string) {
  return { kind: 'password_changed' as const, at: now.toISOString(), address, userAgent, sessionId };
}

/**
 * Another password for oneself: this session goes on with a new token, every other one ends, and its windows hear of it.
 */
export async function changePassword(ctx: SignedInContext, input: ChangePasswordInput): Promise<void> {
  const { services, actor } = ctx;
  const attempt = await beginOwnAttempt(services, actor.userId);
  const [stored] = await services.db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, actor.userId));
  const { passwords } = services;
  // A second copy, because the answer to the first was lost: it is known by the password that it made.
  const right =
    (await passwords.verify(input.current, stored?.passwordHash)) ||
    (await passwords.verify(input.password, stored?.passwordHash));
  if (!right) throw wrongPassword();
  await attempt.succeeded();
  await assertGoodPassword(services, input.password, actor);
  const passwordHash = await services.passwords.hash(input.password);
  const now = services.clock.now();
  const notice = passwordNotice(ctx, now, actor.sessionId);
  const issued = await services.db.transaction(async (tx) => {
    const held = await holdAccount(tx, actor.userId);
    // A reset that came in between has ended this session, and what was checked is not the password any more.
    if (held.passwordHash !== stored?.passwordHash) throw wrongPassword();
    const token = await services.sessions.replaceToken(actor.sessionId, tx);
    if (token === undefined) throw new AppError('unauthenticated');
    await keepPassword(tx, actor.userId, passwordHash, now);
    await dropLinksOf(tx, actor.userId);
    const recording = recorder(tx, {
      command: 'session.changePassword',
      actor: actor.userId,
      operationId: null,
      at: now.toISOString(),
    });
    const ended = await endSessionsBut(tx, actor.userId, actor.sessionId);
    if (ended.length > 0) await recording.recordSessionsEnded(actor.userId, ended);
    const person = await findPerson(tx, actor.userId);
    if (person === undefined) throw new Error('a locked row is gone');
    await tellOfPassword(tx, recording, person);
    await leaveNotice(tx, recording, { ...notice, userId: actor.userId, byId: null });
    return token;
  });
  services.sequencer.poke();
  ctx.setCookie(sessionCookie(isSecure(services.env)).set(issued.token, issued.absoluteExpiresAt));
  mailNotice(services, actor, { ...notice, by: null });
  await markDevice(ctx, { userId: actor.userId, passwordHash });
}

function wrongPassword(): AppError {
  return new AppError('invalid', { data: { fields: { current: accountMessages.currentWrong } } });
}

/**
 * Sends a link to a new password, if there is such an account. The answer and its time are the same for every
 * address: the work is done after it.
 * @throws AppError `rate_limited` by the caller's own address alone
 */
export async function forgotPassword(ctx: Context, email: string): Promise<void> {
  const { services } = ctx;
  const wait = await countTry(services.db, services.clock.now(), {
    key: `forgot:${networkOf(ctx.address)}`,
    ...PER_ADDRESS,
  });
  if (wait > 0) {
    throw new AppError('rate_limited', {
      data: { retryAfterSeconds: wait },
      message: messages.common.rateLimited(wait),
    });
  }
  if (services.mail === undefined) return;
  sendForgotten(services, email).catch((error: unknown) =>
    services.log.warn({ causes: describeError(error) }, 'a link to a new password could not be sent'),
  );
}

async function sendForgotten(services: Services, email: string): Promise<void> {
  const { db } = services;
  const now = services.clock.now();
  if ((await countTry(db, now, { key: `forgot:${shortHash(email)}`, ...PER_ACCOUNT })) > 0) return;
  const [found] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(sql`lower(${profiles.email}) = ${email}`);
  const person = found && (await findPerson(db, found.id));
  if (person === undefined || person.deactivatedAt !== null || person.invitedAt !== null) return;
  const link = { userId: person.id, kind: 'reset', madeBy: null } as const;
  const made = await db.transaction((tx) => makeAccountLink(tx, link, now, LINK_LIFE_MS.forgotten, false));
  const { email: to, firstName } = person;
  await mailLink(services, { kind: 'reset', email: to, firstName, ...made });
}

async function keepPassword(tx: Transaction, userId: string, passwordHash: string, now: Date): Promise<void> {
  const changedAt = now.toISOString();
  await tx
    .insert(credentials)
    .values({ userId, passwordHash, changedAt })
    .onConflictDoUpdate({ target: credentials.userId, set: { passwordHash, changedAt } });
}

/** That the password is another one is on record each time; the password itself, and its hash, are nowhere in it. */
async function tellOfPassword(tx: Transaction, recording: Recorder, person: Person): Promise<void> {
  const { id, invitedAt } = person;
  await tx
    .update(profiles)
    .set({ invitedAt: null, version: sql`${profiles.version} + 1` })
    .where(eq(profiles.id, id));
  const row = await findPerson(tx, id);
  if (row === undefined) throw new Error('a locked row is gone');
  const changes: Changes = invitedAt === null ? {} : { invitedAt: [invitedAt, null] };
  await tellPerson(recording, person, row, changes);
}

// By name and not "all": the session that begins in the same transaction must not be among them.
async function endSessionsBut(tx: Transaction, userId: string, kept: string | undefined): Promise<string[]> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), kept === undefined ? undefined : ne(sessions.id, kept)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
