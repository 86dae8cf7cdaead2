import { and, eq, ne, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles, sessions } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import type { ChangePasswordInput, FollowLinkInput, LinkInfo, Person } from '#shared/features/users/users.ts';
import type { Changes } from '#shared/live/live.ts';
import { findPerson } from '../../access/people.ts';
import {
  consumeLink,
  deleteLinksOf,
  LINK_LIFE_MS,
  makeAccountLink,
  readLink,
} from '../../accounts/account-links.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import { revokeApiKeys } from '../../accounts/api-keys.ts';
import { mailLink } from '../../accounts/link-mail.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { removePasskeys } from '../../accounts/passkeys.ts';
import { publishPersonChange } from '../../accounts/publish-person-change.ts';
import { switchOffWebhooks } from '../../accounts/webhooks.ts';
import { sessionCookie } from '../../adapters/auth/cookie.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import type { Context, Services, SignedInContext } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { type EventWriter, recorder } from '../../kernel/recorder.ts';
import { isPasswordDisabledFor } from '../../kernel/sign-in/sign-in.ts';
import { beginSession, completeSignIn, markDevice, type SignedIn } from './begin-session.ts';
import { endSession } from './end-session.ts';
import { admitRequest, mayMailLink } from './forgot-limits.ts';
import { assertGoodPassword, assertMayUsePassword, newPasswordMinimum } from './new-password.ts';
import { describeStep, neededStep, type Ticket } from './second-step.ts';
import { beginOwnAttempt, checkPassword, forgetStrangersCodes } from './throttle.ts';

// None of these is a repeatable operation: repetitions are recognised by a hash of the input, from which a password
// could be guessed.

/**
 * Reads what the page of a one-time link shows.
 * @throws AppError `not_found` if the link is no longer valid
 */
export async function readLinkInfo({ services }: Context, token: string): Promise<LinkInfo> {
  const { kind, person } = await personBehind(services, token);
  return {
    kind,
    email: person.email,
    firstName: person.firstName,
    passwordMinLength: await newPasswordMinimum(services.db),
    byProviderOnly: isPasswordDisabledFor(services.signIn, person.email),
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

/**
 * Sets the password chosen through a one-time link, ends all other sessions, removes passkeys that the person's role does not
 * need as a second factor, and signs in.
 * @returns the second step, without a session, if the person needs one
 */
export async function followLink(ctx: Context, input: FollowLinkInput): Promise<SignedIn | SecondStep> {
  const { services } = ctx;
  // A rejected password must not consume the link.
  const behind = await personBehind(services, input.token);
  assertMayUsePassword(services, behind.person.email);
  await assertGoodPassword(services, input.password, behind.person);
  const passwordHash = await services.passwords.hash(input.password, behind.person.id);
  const now = services.clock.now();
  const { person, session, step, link, notice } = await services.db.transaction(async (tx) => {
    // Locks the account before the link, in the order used by all code that makes or deletes links.
    await lockAccount(tx, behind.person.id);
    const link = await consumeLink(tx, input.token, now);
    if (link === undefined) throw badLink();
    const person = await findPerson(tx, link.userId);
    if (person === undefined || person.deactivatedAt !== null) throw badLink();
    await deleteLinksOf(tx, person.id);
    await keepPassword(tx, person.id, passwordHash, now);
    await forgetStrangersCodes(tx, person.id);
    const recording = recorder(tx, {
      command: 'session.followLink',
      actor: person.id,
      operationId: null,
      at: now.toISOString(),
    });
    const ended = await endSessionsBut(tx, person.id, undefined);
    if (ended.length > 0) await recording.recordSessionsEnded(person.id, ended);
    const step = await neededStep(tx, services, person.id);
    // A stranger who knew the old password may have added a passkey. Passkeys stay if the role needs one as its second factor,
    // because such a passkey is more than a password.
    const removed = step === 'passkey' ? [] : await removePasskeys(tx, person.id);
    await revokeApiKeys(tx, recording, { createdBy: person.id }, now.toISOString());
    await switchOffWebhooks(
      tx,
      recording,
      { ownerId: person.id },
      { reason: 'access_ended', at: now.toISOString() },
    );
    await tellOfPassword(tx, recording, person, removed);
    const madeBy = link.madeBy === null ? null : await nameOf(tx, link.madeBy);
    const by = { command: 'session.followLink', link: { madeBy } } as const;
    // Ends the session of another person who was signed in on this device.
    const { actor } = ctx;
    if (actor !== undefined && actor.userId !== person.id) await endSession(tx, ctx, actor, 'session.signIn');
    const session = step === undefined ? await beginSession(tx, ctx, person.id, by) : undefined;
    const notice = { ...passwordNotice(ctx, now, session?.id ?? null), by: madeBy, byId: link.madeBy };
    await addNotice(tx, recording, { ...notice, userId: person.id });
    return { person, session, step, link: by.link, notice };
  });
  mailNotice(services, person, notice);
  if (session === undefined) {
    services.sequencer.schedule();
    const ticket: Ticket = { userId: person.id, command: 'session.followLink', link };
    return describeStep(services, step ?? 'code', ticket, passwordHash);
  }
  return completeSignIn(ctx, { userId: person.id, passwordHash }, session);
}

async function nameOf(tx: Transaction, userId: string): Promise<string | null> {
  const person = await findPerson(tx, userId);
  return person === undefined ? null : `${person.firstName} ${person.lastName}`;
}

function passwordNotice({ address, userAgent }: Context, now: Date, sessionId: string | null) {
  return { kind: 'password_changed' as const, at: now.toISOString(), address, userAgent, sessionId };
}

/** The password was changed between reading it and locking the account. */
const OVERTAKEN = Symbol('overtaken');
/** The concurrent change may be the first copy of this request; the second try recognises its password. */
const TRIES = 2;

/**
 * Changes the person's own password: this session continues with a new token, all others end. A repeated request, whose
 * first answer was lost or is still on its way, is recognised by the new password; it only gets another token.
 */
export async function changePassword(ctx: SignedInContext, input: ChangePasswordInput): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) if ((await tryToChange(ctx, input)) !== OVERTAKEN) return;
  throw wrongPassword();
}

async function tryToChange(ctx: SignedInContext, input: ChangePasswordInput) {
  const { services, actor } = ctx;
  const { db, passwords } = services;
  assertMayUsePassword(services, actor.email);
  const attempt = await beginOwnAttempt(services, actor.userId);
  const [stored] = await db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, actor.userId));
  const matches = (password: string) => checkPassword(services, attempt, [password, stored?.passwordHash]);
  const isFirst = await matches(input.current);
  if (!isFirst && !(await matches(input.password))) throw wrongPassword();
  await attempt.succeeded();
  await assertGoodPassword(services, input.password, actor);
  const made = isFirst ? await passwords.hash(input.password, actor.userId) : undefined;
  const passwordHash = made ?? stored?.passwordHash ?? '';
  const now = services.clock.now();
  const notice = passwordNotice(ctx, now, actor.sessionId);
  const issued = await db.transaction(async (tx) => {
    const held = await lockAccount(tx, actor.userId);
    if (held.passwordHash !== stored?.passwordHash) return OVERTAKEN;
    const token = await services.sessions.replaceToken(actor.sessionId, tx);
    if (token === undefined) throw new AppError('unauthenticated');
    // A password that is not enough to sign in is not enough to authenticate again.
    const step = await neededStep(tx, services, actor.userId);
    if (step !== 'code' && step !== 'passkey') {
      await services.sessions.noteAuthentication(actor.sessionId, services.sessions.now().toISOString(), tx);
    }
    if (isFirst) await change(tx, ctx, passwordHash, now, notice);
    return token;
  });
  if (issued === OVERTAKEN) return OVERTAKEN;
  services.sequencer.schedule();
  ctx.setCookie(sessionCookie(isSecure(services.env)).set(issued.token, issued.absoluteExpiresAt));
  if (isFirst) mailNotice(services, actor, { ...notice, by: null });
  await markDevice(ctx, { userId: actor.userId, passwordHash });
  return undefined;
}

/** Stores the password, ends the other sessions, and records the events. */
async function change(
  tx: Transaction,
  { actor }: SignedInContext,
  passwordHash: string,
  now: Date,
  notice: ReturnType<typeof passwordNotice>,
): Promise<void> {
  await keepPassword(tx, actor.userId, passwordHash, now);
  await deleteLinksOf(tx, actor.userId);
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
  await addNotice(tx, recording, { ...notice, userId: actor.userId, byId: null });
}

function wrongPassword(): AppError {
  return new AppError('invalid', { data: { fields: { current: accountMessages.currentWrong } } });
}

/**
 * Mails a link to a new password if the account exists. Answer and response time are the same for every address,
 * because the work is done afterwards.
 * @throws AppError `rate_limited` because of the device's own requests, or if too many requests are being delayed
 */
export async function forgotPassword(ctx: Context, email: string): Promise<void> {
  const { mail, log } = ctx.services;
  await admitRequest(ctx);
  if (mail === undefined) return;
  sendForgotten(ctx, email).catch((error: unknown) =>
    log.warn({ causes: describeError(error) }, 'a link to a new password could not be sent'),
  );
}

async function sendForgotten({ services, device: marks }: Context, email: string): Promise<void> {
  const { db, devices } = services;
  const now = services.clock.now();
  const [found] = await db
    .select({ id: profiles.id, passwordHash: credentials.passwordHash })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(sql`lower(${profiles.email}) = ${email}`);
  const person = found && (await findPerson(db, found.id));
  if (person === undefined || person.deactivatedAt !== null || person.invitedAt !== null) return;
  // The link would be useless, because this person may not set a password.
  if (isPasswordDisabledFor(services.signIn, person.email)) return;
  const account = found?.passwordHash ? { userId: person.id, passwordHash: found.passwordHash } : undefined;
  const device = account && (await devices.recognise(marks, account));
  if (!(await mayMailLink(services, { userId: person.id, device }))) return;
  const link = { userId: person.id, kind: 'reset', madeBy: null } as const;
  const made = await db.transaction((tx) =>
    makeAccountLink(tx, link, now, LINK_LIFE_MS.forgotten, { keepEarlier: true }),
  );
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

/** Records that the password has changed. Neither password nor hash is part of the event. */
async function tellOfPassword(
  tx: Transaction,
  recording: EventWriter,
  person: Person,
  removedPasskeys: readonly string[] = [],
): Promise<void> {
  const { id, invitedAt } = person;
  await tx
    .update(profiles)
    .set({ invitedAt: null, version: sql`${profiles.version} + 1` })
    .where(eq(profiles.id, id));
  const row = await findPerson(tx, id);
  if (row === undefined) throw new Error('a locked row is gone');
  const changes: Changes = {
    ...(invitedAt !== null && { invitedAt: [invitedAt, null] }),
    ...(removedPasskeys.length > 0 && { passkey: [removedPasskeys.join(', '), null] }),
  };
  await publishPersonChange(recording, person, row, changes);
}

// Lists ids instead of "all", which would include the session that begins in the same transaction.
async function endSessionsBut(tx: Transaction, userId: string, kept: string | undefined): Promise<string[]> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), kept === undefined ? undefined : ne(sessions.id, kept)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
