import { eq } from 'drizzle-orm';
import { credentials } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import type { ReauthenticateInput, ReauthenticationOptions } from '#shared/features/users/session.ts';
import { linkedProviders, personOfAccount } from '../../accounts/identities.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import type { Context, SignedInContext } from '../../kernel/context.ts';
import { isPasswordDisabledFor } from '../../kernel/sign-in/sign-in.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';
import { assertMayUsePassword } from './new-password.ts';
import { revokeAccess } from './provider.commands.ts';
import { personOf, roleOf } from './provider-claims.ts';
import {
  CLOCK_SKEW_MS,
  type ProviderResponse,
  type Reauthentication,
  SignInRefused,
} from './provider-flow.ts';
import { beginSessionAttempt } from './throttle.ts';

/** Returns the ways in which the person can authenticate again. */
export async function reauthenticationOptions({
  services,
  actor,
}: SignedInContext): Promise<ReauthenticationOptions> {
  const { db, signIn } = services;
  const [stored] = await db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, actor.userId));
  const linked = await linkedProviders(db, actor.userId);
  return {
    password: stored !== undefined && !isPasswordDisabledFor(signIn, actor.email),
    providers: signIn.settings.providers
      .filter(({ id }) => linked.includes(id))
      .map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Authenticates the signed-in person again, with the password. Of one session at most five failures in fifteen minutes are
 * accepted, so that a stolen session cannot be used to guess the password, nor to lock the person out of other sessions.
 * @throws AppError `invalid` at `password`, or `rate_limited`
 */
export async function reauthenticate(ctx: SignedInContext, { password }: ReauthenticateInput): Promise<void> {
  const { services, actor } = ctx;
  const { db, passwords, sessions, log } = services;
  assertMayUsePassword(services, actor.email);
  const attempt = await beginSessionAttempt(services, actor.sessionId);
  const [stored] = await db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, actor.userId));
  if (!(await passwords.verify(password, stored?.passwordHash))) {
    log.warn({ person: actor.userId, address: ctx.address }, 'a reauthentication was refused');
    throw new AppError('invalid', { data: { fields: { password: accountMessages.passwordWrong } } });
  }
  await attempt.succeeded();
  await db.transaction(async (tx) => {
    const held = await lockAccount(tx, actor.userId);
    // The password was changed since the check, which has ended this session.
    if (held.passwordHash !== stored?.passwordHash) throw new AppError('unauthenticated');
    const isNoted = await sessions.noteAuthentication(actor.sessionId, sessions.now().toISOString(), tx);
    if (!isNoted) throw new AppError('unauthenticated');
  });
  log.info({ person: actor.userId, address: ctx.address }, 'a person has authenticated again');
}

/**
 * Notes that a provider has authenticated the person of a session again.
 * @param begun the session in which the flow was begun, and when
 * @throws SignInRefused
 */
export async function reauthenticateAtProvider(
  ctx: Context,
  provider: ProviderSettings,
  { claims, authenticatedAt }: ProviderResponse,
  begun: Reauthentication,
): Promise<void> {
  const { services, actor } = ctx;
  // Signed out meanwhile, or another person has signed in.
  if (actor === undefined || actor.sessionId !== begun.sessionId) throw new SignInRefused('expired');
  const account = { provider: provider.id, subject: personOf(claims, provider).subject };
  if ((await personOfAccount(services.db, account)) !== actor.userId)
    throw new SignInRefused('other_account');
  if (roleOf(claims, provider) === null) {
    await revokeAccess(ctx, account);
    throw new SignInRefused('no_role');
  }
  const { sessions, log } = services;
  const trusted = provider.reauthentication === 'prompt' ? sessions.now().toISOString() : null;
  const at = authenticatedAt ?? trusted;
  if (at === null) throw new SignInRefused('no_auth_time');
  if (Date.parse(at) < Date.parse(begun.at) - CLOCK_SKEW_MS) throw new SignInRefused('not_reauthenticated');
  if (!(await sessions.noteAuthentication(actor.sessionId, at))) throw new SignInRefused('expired');
  log.info({ person: actor.userId, address: ctx.address }, 'a person has authenticated again');
}
