import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import type { SetupInput, SignInInput } from '#shared/features/users/session.ts';
import type { SignInOptions } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { findPerson } from '../../access/people.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { deleteSetupCodes, isSetupCode, lockAdministration } from '../../accounts/setup-code.ts';
import { sessionCookie } from '../../adapters/auth/cookie.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import type { Context, SampleAccounts } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';
import { isPasswordDisabledFor } from '../../kernel/sign-in/sign-in.ts';
import { hasNoPeople } from '../users/users.queries.ts';
import { beginSession, completeSignIn, type SignedIn } from './begin-session.ts';
import { endSession } from './end-session.ts';
import { completeEntry, enterAccount, type SignInAnswer } from './enter-account.ts';
import { assertGoodPassword, assertMayUsePassword } from './new-password.ts';
import { describeStep, neededStep, type Ticket } from './second-step.ts';
import { beginAttempt, checkPassword, shortHash } from './throttle.ts';

/** Returns the options shown on the sign-in page. */
export function signInOptions({ services }: Context): SignInOptions {
  const { passwords, providers } = services.signIn.settings;
  return {
    byMail: services.mail !== undefined,
    passwords,
    providers: providers.map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Signs a person in and sets the session cookie. An unknown address and a wrong password take the same time and get the
 * same answer.
 * @returns the second step, without a session, if the person needs one
 */
export async function signIn(ctx: Context, input: SignInInput): Promise<SignInAnswer | SecondStep> {
  try {
    return await tryToSignIn(ctx, input);
  } catch (error) {
    if (error instanceof AppError) {
      // The account is logged as a hash, because the log must not contain e-mail addresses.
      const tried = { address: ctx.address, account: shortHash(input.email), code: error.code };
      ctx.services.log.warn(tried, 'a sign-in was refused');
    }
    throw error;
  }
}

async function tryToSignIn(ctx: Context, input: SignInInput): Promise<SignInAnswer | SecondStep> {
  const { services } = ctx;
  assertMayUsePassword(services, input.email);
  const { account, deactivatedAt, device } = await services.reads.run(networkOf(ctx.address), () =>
    findAccount(ctx, input.email),
  );
  const attempt = await beginAttempt(services, { email: input.email, address: ctx.address, device });
  const caller = device === undefined ? 'stranger' : 'known';
  const right = await checkPassword(services, attempt, [input.password, account?.passwordHash, caller]);
  if (!right || account === undefined || deactivatedAt !== null) throw wrongCredentials();
  const { userId } = account;
  const ticket: Ticket = { userId, command: 'session.signIn', link: null, linking: input.linking };
  const entered = await services.db.transaction(async (tx) => {
    const held = await lockAccount(tx, userId);
    // The password was changed or the account deactivated since the check.
    if (held.passwordHash !== account.passwordHash || held.deactivatedAt !== null) throw wrongCredentials();
    const step = await neededStep(tx, services, userId);
    if (step !== undefined) return { step };
    return enterAccount(tx, ctx, ticket, { isKnown: device !== undefined, hasSecondFactor: false });
  });
  await attempt.succeeded();
  if ('step' in entered) {
    return describeStep(services, entered.step, ticket, account.passwordHash);
  }
  return completeEntry(ctx, account, entered);
}

/** Finds the account of an address, and the mark for it on this device; none for an address without an account. */
async function findAccount({ services, device: mark }: Context, email: string) {
  const [found] = await services.db
    .select({
      id: profiles.id,
      deactivatedAt: profiles.deactivatedAt,
      passwordHash: credentials.passwordHash,
    })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(sql`lower(${profiles.email}) = ${email}`);
  const account = found?.passwordHash ? { userId: found.id, passwordHash: found.passwordHash } : undefined;
  const device = account && (await services.devices.recognise(mark, account));
  return { account, deactivatedAt: found?.deactivatedAt, device };
}

function wrongCredentials(): AppError {
  return new AppError('unauthenticated', { message: messages.session.wrongCredentials });
}

/** Ends the session and its live streams in every tab; does nothing without a session. */
export async function signOut(ctx: Context): Promise<void> {
  const { actor, services } = ctx;
  if (actor !== undefined) {
    await services.db.transaction((tx) => endSession(tx, ctx, actor, 'session.signOut'));
    services.sequencer.schedule();
  }
  ctx.setCookie(sessionCookie(isSecure(ctx.services.env)).clear());
}

/** The answer of `session.setup`: the new person, or the sample accounts. */
export type SetupResult = ({ started: 'empty' } & SignedIn) | ({ started: 'sample' } & SampleAccounts);

/**
 * Sets up an empty installation for the holder of the printed link: creates the first person, without a role yet, or
 * the sample portfolio.
 */
export async function setUp(ctx: Context, input: SetupInput): Promise<SetupResult> {
  if (input.start === 'empty') return setUpEmpty(ctx, input);
  const sample = await ctx.services.addSampleData(async (tx) => {
    await assertMaySetUp(tx, input.code);
    await deleteSetupCodes(tx);
  });
  return { started: 'sample', ...sample };
}

async function setUpEmpty(
  ctx: Context,
  input: Extract<SetupInput, { start: 'empty' }>,
): Promise<SetupResult> {
  const { services } = ctx;
  if (!(await isSetupCode(services.db, input.code))) throw wrongCode();
  if (isPasswordDisabledFor(services.signIn, input.email)) {
    const email = signInMessages.emergencyFirst(services.signIn.settings.emergencyEmail ?? '');
    throw new AppError('invalid', { data: { fields: { email } } });
  }
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
  return { started: 'empty', ...(await completeSignIn(ctx, { userId: person.id, passwordHash }, session)) };
}

async function assertMaySetUp(tx: Transaction, code: string): Promise<void> {
  await lockAdministration(tx);
  if (!(await hasNoPeople(tx))) throw new AppError('forbidden', { message: messages.session.setupDone });
  if (!(await isSetupCode(tx, code))) throw wrongCode();
}

function wrongCode(): AppError {
  return new AppError('forbidden', { message: messages.session.setupCodeWrong });
}

type NewPerson = { id: string; email: string; firstName: string; lastName: string };

/** Creates a person with a password and without a role, and records the event. */
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
