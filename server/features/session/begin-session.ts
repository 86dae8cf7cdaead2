import { and, desc, eq, gt, inArray, ne } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { events } from '#db/schema/live.ts';
import { sessions } from '#db/schema/people.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import type { Me } from '#shared/features/users/session.ts';
import type { AccountNotice, Person, SignInEvent } from '#shared/features/users/users.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Snapshot } from '#shared/live/live.ts';
import { deviceName } from '#shared/offline/device-name.ts';
import { findPerson } from '../../access/people.ts';
import { lifetimeOf } from '../../access/session-lifetime.ts';
import { addNotice } from '../../accounts/add-notice.ts';
import { deviceCookie, sessionCookie } from '../../adapters/auth/cookie.ts';
import type { DeviceAccount } from '../../adapters/auth/devices.ts';
import type { NewSession } from '../../adapters/auth/sessions.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import { countAttempt } from '../../kernel/attempt-counts.ts';
import type { Context } from '../../kernel/context.ts';
import { recorder, sessionsSample } from '../../kernel/recorder.ts';
import { readMe } from '../users/users.queries.ts';

/** Sessions per person. */
const SESSIONS_MAX = 20;

/**
 * Creates a session in the transaction that has locked the account. Otherwise a concurrent change of password could leave behind
 * a session that was begun with the old password.
 */
export async function beginSession(
  tx: Transaction,
  ctx: Context,
  userId: string,
  {
    command,
    link,
    provider = null,
    authenticatedAt,
    hasSecondFactor,
  }: {
    command: string;
    link: SignInEvent['link'];
    provider?: string | null;
    /** When the person entered credentials, ISO; null if the provider did not report it. Absent: now. */
    authenticatedAt?: string | null | undefined;
    /** Whether it begins with a second factor, or at a provider. */
    hasSecondFactor?: boolean;
  },
): Promise<NewSession> {
  const { sessions, clock } = ctx.services;
  const { address, userAgent } = ctx;
  const person = await findPerson(tx, userId);
  const origin = { address, userAgent, authenticatedAt, hasSecondFactor };
  const session = await sessions.create(userId, origin, lifetimeOf(person?.role ?? null), tx);
  const at = clock.now().toISOString();
  const recording = recorder(tx, { command, actor: userId, operationId: null, at });
  const ended = await endBeyond(tx, userId, session.id, sessions.now());
  if (ended.length > 0) await recording.recordSessionsEnded(userId, ended);
  else await recording.recordBulk(sessionsSample(userId));
  const row = { id: uuidv7(), userId, address, device: deviceName(userAgent), link, provider, version: 1 };
  await recording.record({ entity: 'signIn', op: 'put', row, changes: null });
  return session;
}

/** Ends the least recently used sessions beyond the limit. */
async function endBeyond(tx: Transaction, userId: string, newId: string, now: Date): Promise<string[]> {
  const beyond = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(eq(sessions.userId, userId), ne(sessions.id, newId), gt(sessions.expiresAt, now.toISOString())),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .offset(SESSIONS_MAX - 1);
  const ended = await tx.delete(sessions).where(inArray(sessions.id, beyond)).returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}

/** Whether the account was used before. The first sign-in is not reported to the person. */
export async function hasSignedInBefore(tx: Transaction, userId: string): Promise<boolean> {
  const [open] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .limit(1);
  if (open !== undefined) return true;
  const [past] = await tx
    .select({ g: events.g })
    .from(events)
    .where(and(eq(events.actor, userId), eq(events.entity, 'signIn')))
    .orderBy(desc(events.at), desc(events.g))
    .limit(1);
  return past !== undefined;
}

/** The most notices about new devices: more per hour come from a program, and each notice would send a mail. */
const TOLD_DEVICES = { max: 5, windowMs: HOUR_MS };

/**
 * Adds a notice about a device on which this account was never used with this password. Activity lists every sign-in.
 * @returns undefined if the limit of notices is reached
 */
export async function addNewDeviceNotice(
  tx: Transaction,
  { services, address, userAgent }: Context,
  userId: string,
  { id: sessionId }: NewSession,
): Promise<{ person: Person; notice: Omit<AccountNotice, 'id'> } | undefined> {
  const key = `told:${userId}`;
  if ((await countAttempt(tx, services.clock.now(), { key, ...TOLD_DEVICES })) > 0) return undefined;
  const person = await findPerson(tx, userId);
  if (person === undefined) throw new Error('people are never deleted');
  const at = services.clock.now().toISOString();
  const notice = { kind: 'new_device', at, address, userAgent } as const;
  const recording = recorder(tx, { command: 'session.signIn', actor: userId, operationId: null, at });
  await addNotice(tx, recording, { ...notice, userId, byId: null, sessionId });
  return { person, notice: { ...notice, by: null } };
}

/** The answer of a sign-in. It contains the answer of `session.me`, so that the first page need not wait for a second call. */
export type SignedIn = { me: Me } & Omit<Snapshot<Me>, 'data'>;

/** Finishes a sign-in after the commit: sends the session token in a cookie, and marks the device. */
export async function completeSignIn(
  ctx: Context,
  account: DeviceAccount,
  session: NewSession,
): Promise<SignedIn> {
  const { services } = ctx;
  services.sequencer.schedule();
  ctx.setCookie(sessionCookie(isSecure(services.env)).set(session.token, session.absoluteExpiresAt));
  await markDevice(ctx, account);
  const { data: me, ...position } = await readMe(ctx, {
    userId: account.userId,
    sessionExpiresAt: session.expiresAt,
  });
  return { me, ...position };
}

/** Longer than any session; browsers keep no cookie for longer. */
const DEVICE_KEPT_MS = 400 * DAY_MS;

/** Marks the device as one on which this account was used. */
export async function markDevice(ctx: Context, account: DeviceAccount): Promise<void> {
  const { devices, env, sessions } = ctx.services;
  const until = new Date(sessions.now().getTime() + DEVICE_KEPT_MS).toISOString();
  ctx.setCookie(deviceCookie(isSecure(env)).set(await devices.mark(ctx.device, account), until));
}
