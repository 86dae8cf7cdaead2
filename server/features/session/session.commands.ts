import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles } from '#db/schema/people.ts';
import { DAY_MS } from '#shared/dates.ts';
import { deviceName } from '#shared/device-name.ts';
import { AppError } from '#shared/errors.ts';
import type { Me, SetupInput, SignInInput } from '#shared/features/session.ts';
import type { SignInEvent } from '#shared/features/users.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { deviceCookie, sessionCookie } from '../../adapters/auth/cookie.ts';
import type { DeviceAccount } from '../../adapters/auth/devices.ts';
import type { Passwords } from '../../adapters/auth/passwords.ts';
import type { NewSession } from '../../adapters/auth/sessions.ts';
import type { Context, Services } from '../../context.ts';
import { isSecure } from '../../http/origin.ts';
import { recorder, sessionsOf } from '../../live-entities.ts';
import { fillWithSampleData, type SampleAccounts } from '../../setup/sample-accounts.ts';
import { dropSetupCodes, isSetupCode, lockAdministration } from '../../setup/setup-code.ts';
import { findPerson, isEmpty, readMe } from '../users/users.queries.ts';
import { assertGoodPassword } from './new-password.ts';
import { lifetimeOf } from './session.queries.ts';
import { type Attempt, beginAttempt } from './throttle.ts';

/**
 * Signs a person in: a new session, its token in a cookie. An address that nobody has and a wrong password take the
 * same time and get the same answer.
 */
export async function signIn(ctx: Context, input: SignInInput): Promise<{ me: Me }> {
  const { services } = ctx;
  const [found] = await services.db
    .select({
      id: profiles.id,
      deactivatedAt: profiles.deactivatedAt,
      passwordHash: credentials.passwordHash,
    })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(sql`lower(${profiles.email}) = ${input.email}`);
  const account = found?.passwordHash ? { userId: found.id, passwordHash: found.passwordHash } : undefined;
  const device = account && (await services.devices.recognise(ctx.device, account));
  const attempt = await beginAttempt(services, { email: input.email, address: ctx.address, device });
  const caller = device === undefined ? 'stranger' : 'known';
  const right = await checkPassword(services, attempt, [input.password, account?.passwordHash, caller]);
  if (!right || account === undefined || found?.deactivatedAt !== null) throw wrongCredentials();
  const session = await services.db.transaction(async (tx) => {
    const held = await holdAccount(tx, account.userId);
    // Changed since it was checked, or the account was shut: that password opens nothing any more.
    if (held.passwordHash !== account.passwordHash || held.deactivatedAt !== null) throw wrongCredentials();
    // The person who sat here before is signed out.
    if (ctx.actor !== undefined) await endSession(tx, ctx, ctx.actor, 'session.signIn');
    return beginSession(tx, ctx, account.userId, { command: 'session.signIn', link: null });
  });
  await attempt.succeeded();
  return { me: await admit(ctx, account, session) };
}

/** What is refused because too many wait has not been looked at. */
async function checkPassword(
  { passwords }: Services,
  attempt: Attempt,
  args: Parameters<Passwords['verify']>,
): Promise<boolean> {
  try {
    return await passwords.verify(...args);
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
}

function wrongCredentials(): AppError {
  return new AppError('unauthenticated', { message: messages.session.wrongCredentials });
}

/** Ends the session, and its live streams in every tab; without one there is nothing to do. */
export async function signOut(ctx: Context): Promise<void> {
  const { actor, services } = ctx;
  if (actor !== undefined) {
    await services.db.transaction((tx) => endSession(tx, ctx, actor, 'session.signOut'));
    services.sequencer.poke();
  }
  ctx.setCookie(sessionCookie(isSecure(ctx.services.env)).clear());
}

/** What `session.setup` answers: who has been made. */
export type SetupResult = { started: 'empty'; me: Me } | ({ started: 'sample' } & SampleAccounts);

/**
 * The first step of an empty installation, for whoever has the link that the server printed: the first person, who
 * has no role yet, or the sample portfolio.
 */
export async function setUp(ctx: Context, input: SetupInput): Promise<SetupResult> {
  if (input.start === 'empty') return setUpEmpty(ctx, input);
  const sample = await fillWithSampleData(ctx.services, async (tx) => {
    await assertMaySetUp(tx, input.code);
    await dropSetupCodes(tx);
  });
  return { started: 'sample', ...sample };
}

async function setUpEmpty(
  ctx: Context,
  input: Extract<SetupInput, { start: 'empty' }>,
): Promise<SetupResult> {
  const { services } = ctx;
  if (!(await isSetupCode(services.db, input.code))) throw wrongCode();
  await assertGoodPassword(services, input.password, input);
  const passwordHash = await services.passwords.hash(input.password);
  const person = { ...input, id: uuidv7() };
  const session = await services.db.transaction(async (tx) => {
    await assertMaySetUp(tx, input.code);
    await createPerson(tx, person, passwordHash, {
      command: 'session.setup',
      actor: person.id,
      at: services.clock.now().toISOString(),
    });
    return beginSession(tx, ctx, person.id, { command: 'session.setup', link: null });
  });
  return { started: 'empty', me: await admit(ctx, { userId: person.id, passwordHash }, session) };
}

async function assertMaySetUp(tx: Transaction, code: string): Promise<void> {
  await lockAdministration(tx);
  if (!(await isEmpty(tx))) throw new AppError('forbidden', { message: messages.session.setupDone });
  if (!(await isSetupCode(tx, code))) throw wrongCode();
}

function wrongCode(): AppError {
  return new AppError('forbidden', { message: messages.session.setupCodeWrong });
}

type NewPerson = { id: string; email: string; firstName: string; lastName: string };

/** A person with a password and without a role, and the event that tells of them. */
export async function createPerson(
  tx: Transaction,
  { id, email, firstName, lastName }: NewPerson,
  passwordHash: string,
  origin: { command: string; actor: string | null; at: string },
): Promise<void> {
  await tx.insert(profiles).values({ id, email, firstName, lastName, createdAt: origin.at });
  await tx.insert(credentials).values({ userId: id, passwordHash, changedAt: origin.at });
  const row = await findPerson(tx, id);
  if (row === undefined) throw new Error('a row that was just inserted is gone');
  await recorder(tx, { ...origin, operationId: null }).record({
    entity: 'person',
    op: 'put',
    row,
    changes: null,
  });
}

/** Locks the account's row and reads what it says then: until the transaction ends, its password stays what it is. */
export async function holdAccount(
  tx: Transaction,
  userId: string,
): Promise<{ passwordHash: string | null; deactivatedAt: string | null }> {
  await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, userId)).for('update');
  // In a statement of its own: only a new one sees what was committed while the lock was waited for.
  const [row] = await tx
    .select({ passwordHash: credentials.passwordHash, deactivatedAt: profiles.deactivatedAt })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(eq(profiles.id, userId));
  if (row === undefined) throw new Error('people are never deleted');
  return row;
}

/**
 * A new session, in the transaction that holds the account's row: otherwise a password that is changed at that moment
 * would leave a session behind that was begun with the one before.
 */
export async function beginSession(
  tx: Transaction,
  ctx: Context,
  userId: string,
  { command, link }: { command: string; link: SignInEvent['link'] },
): Promise<NewSession> {
  const { sessions, clock } = ctx.services;
  const { address, userAgent } = ctx;
  const person = await findPerson(tx, userId);
  const session = await sessions.create(userId, ctx, lifetimeOf(person?.role ?? null), tx);
  const at = clock.now().toISOString();
  const recording = recorder(tx, { command, actor: userId, operationId: null, at });
  await recording.recordBulk(sessionsOf(userId));
  const row = { id: uuidv7(), userId, address, device: deviceName(userAgent), link, version: 1 };
  await recording.record({ entity: 'signIn', op: 'put', row, changes: null });
  return session;
}

/** After the commit: the session's token goes out in a cookie, and the device is known from now on. */
export async function admit(ctx: Context, account: DeviceAccount, session: NewSession): Promise<Me> {
  const { services } = ctx;
  services.sequencer.poke();
  ctx.setCookie(sessionCookie(isSecure(services.env)).set(session.token, session.absoluteExpiresAt));
  await markDevice(ctx, account);
  return readMe(services.db, { userId: account.userId, sessionExpiresAt: session.expiresAt }, services);
}

/** Longer than any session: the most that browsers keep a cookie for. */
const DEVICE_KEPT_MS = 400 * DAY_MS;

/** From now on the device is known as one that this account was used on. */
export async function markDevice(ctx: Context, account: DeviceAccount): Promise<void> {
  const { devices, env } = ctx.services;
  const until = new Date(Date.now() + DEVICE_KEPT_MS).toISOString();
  ctx.setCookie(deviceCookie(isSecure(env)).set(await devices.mark(ctx.device, account), until));
}

async function endSession(
  tx: Transaction,
  { services }: Context,
  { sessionId, userId }: { sessionId: string; userId: string },
  command: string,
): Promise<void> {
  const at = services.clock.now().toISOString();
  await services.sessions.end(sessionId, tx);
  await recorder(tx, { command, actor: userId, operationId: null, at }).recordSessionsEnded(userId, [
    sessionId,
  ]);
}
