import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { settings } from '#db/schema/issues.ts';
import { credentials, profiles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type { Me, SetupInput, SignInInput } from '#shared/features/session.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { sessionCookie } from '../../adapters/auth/cookie.ts';
import type { Context, Services } from '../../context.ts';
import { isSecure } from '../../http/origin.ts';
import { recorder, sessionsOf } from '../../live-entities.ts';
import { fillWithSampleData, type SampleAccounts } from '../../setup/sample-accounts.ts';
import { dropSetupCodes, isSetupCode, lockAdministration } from '../../setup/setup-code.ts';
import { findPerson, isEmpty, readMe } from '../users/users.queries.ts';
import { lifetimeOf } from './session.queries.ts';
import { beginAttempt } from './throttle.ts';

/**
 * Signs a person in: a new session, its token in a cookie. An address that nobody has and a wrong password take the
 * same time and get the same answer.
 */
export async function signIn(ctx: Context, input: SignInInput): Promise<{ me: Me }> {
  const { services } = ctx;
  const attempt = await beginAttempt(services.db, services.clock.now(), input.email, ctx.address);
  const [found] = await services.db
    .select({
      id: profiles.id,
      deactivatedAt: profiles.deactivatedAt,
      passwordHash: credentials.passwordHash,
    })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(sql`lower(${profiles.email}) = ${input.email}`);
  const right = await services.passwords.verify(input.password, found?.passwordHash ?? undefined);
  if (!right || found === undefined || found.deactivatedAt !== null) {
    throw new AppError('unauthenticated', { message: messages.session.wrongCredentials });
  }
  await attempt.succeeded();
  // Whoever sat here before is signed out.
  if (ctx.actor !== undefined) await endSession(services, ctx.actor, 'session.signIn');
  return { me: await startSession(ctx, found.id) };
}

/** Ends the session, and its live streams in every tab; without one there is nothing to do. */
export async function signOut(ctx: Context): Promise<void> {
  if (ctx.actor !== undefined) await endSession(ctx.services, ctx.actor, 'session.signOut');
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
  await assertGoodPassword(services, input.password);
  const passwordHash = await services.passwords.hash(input.password);
  const person = { ...input, id: uuidv7() };
  await services.db.transaction(async (tx) => {
    await assertMaySetUp(tx, input.code);
    await createPerson(tx, person, passwordHash, {
      command: 'session.setup',
      actor: person.id,
      at: services.clock.now().toISOString(),
    });
  });
  services.sequencer.poke();
  return { started: 'empty', me: await startSession(ctx, person.id) };
}

async function assertMaySetUp(tx: Transaction, code: string): Promise<void> {
  await lockAdministration(tx);
  if (!(await isEmpty(tx))) throw new AppError('forbidden', { message: messages.session.setupDone });
  if (!(await isSetupCode(tx, code))) throw wrongCode();
}

function wrongCode(): AppError {
  return new AppError('forbidden', { message: messages.session.setupCodeWrong });
}

/** @throws AppError `invalid` for a new password that is too short for this organisation, or too common */
export async function assertGoodPassword(
  services: Pick<Services, 'db' | 'passwords'>,
  password: string,
): Promise<void> {
  const [row] = await services.db.select({ minimum: settings.passwordMinLength }).from(settings);
  const problem = services.passwords.problemWithNew(password, row?.minimum ?? 0);
  if (problem !== undefined) throw new AppError('invalid', { data: { fields: { password: problem } } });
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

/** A new session for this person, its token in a cookie. */
export async function startSession(ctx: Context, userId: string): Promise<Me> {
  const { services } = ctx;
  const person = await findPerson(services.db, userId);
  const session = await services.sessions.create(userId, ctx.userAgent, lifetimeOf(person?.role ?? null));
  ctx.setCookie(sessionCookie(isSecure(services.env)).set(session.token, session.absoluteExpiresAt));
  const at = services.clock.now().toISOString();
  await services.db.transaction((tx) =>
    recorder(tx, { command: 'session.signIn', actor: userId, operationId: null, at }).recordBulk(
      sessionsOf(userId),
    ),
  );
  services.sequencer.poke();
  return readMe(services.db, { userId, sessionExpiresAt: session.expiresAt });
}

async function endSession(
  services: Services,
  { sessionId, userId }: { sessionId: string; userId: string },
  command: string,
): Promise<void> {
  const at = services.clock.now().toISOString();
  await services.db.transaction(async (tx) => {
    await services.sessions.end(sessionId, tx);
    await recorder(tx, { command, actor: userId, operationId: null, at }).recordSessionsEnded(userId, [
      sessionId,
    ]);
  });
  services.sequencer.poke();
}
