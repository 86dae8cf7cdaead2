import { eq } from 'drizzle-orm';
import { credentials } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { accountMessages } from '#shared/features/users/account-messages.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import type { ReauthenticateInput, ReauthenticationOptions } from '#shared/features/users/session.ts';
import { linkedProviders, personOfAccount } from '../../accounts/identities.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { listPasskeys } from '../../accounts/passkeys.ts';
import { consumeSecondFactor } from '../../accounts/second-factors.ts';
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
import { notifyOfWrongCodes } from './second-factor-notices.ts';
import { neededStep } from './second-step.ts';
import { beginSessionAttempt, checkPassword } from './throttle.ts';

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
  const hasPassword = stored !== undefined && !isPasswordDisabledFor(signIn, actor.email);
  const step = await neededStep(db, services, actor.userId);
  // Like passwords, passkeys do not count for those who sign in at a provider.
  const passkeys = hasPassword ? await listPasskeys(db, actor.userId) : [];
  return {
    hasPassword,
    // A password that is not enough to sign in is not enough to authenticate again.
    password: hasPassword && step !== 'passkey',
    code: step === 'code',
    passkeyHosts: [...new Set(passkeys.map(({ rpId }) => rpId))],
    providers: signIn.settings.providers
      .filter(({ id }) => linked.includes(id))
      .map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Authenticates the signed-in person again with the password (OWASP ASVS 5.0, 7.5.1). As for a sign-in, a person with an
 * authenticator app gives a code, too, and one who needs a passkey to sign in cannot use the password. Each session is
 * allowed five failures in fifteen minutes, so that a stolen session can neither guess nor lock the person out of others.
 * @throws AppError `invalid` at `password` or `code`, or `rate_limited`
 */
export async function reauthenticate(
  ctx: SignedInContext,
  { password, code }: ReauthenticateInput,
): Promise<void> {
  const { services, actor } = ctx;
  const { db, sessions, log } = services;
  assertMayUsePassword(services, actor.email);
  const attempt = await beginSessionAttempt(services, actor.sessionId);
  const [stored] = await db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.userId, actor.userId));
  const refused = (fields: { password: string } | { code: string }) => {
    log.warn({ person: actor.userId, address: ctx.address }, 'a reauthentication was refused');
    return new AppError('invalid', { data: { fields } });
  };
  if (!(await checkPassword(services, attempt, [password, stored?.passwordHash]))) {
    throw refused({ password: accountMessages.passwordWrong });
  }
  const isRight = await db.transaction(async (tx) => {
    const held = await lockAccount(tx, actor.userId);
    // The password was changed since the check; the change has ended this session.
    if (held.passwordHash !== stored?.passwordHash) throw new AppError('unauthenticated');
    const step = await neededStep(tx, services, actor.userId);
    if (step === 'passkey') throw refused({ password: passkeyMessages.passwordNotEnough });
    if (step === 'code') {
      const used = await consumeSecondFactor(tx, actor.userId, code ?? '', services.clock.now());
      if (used === undefined) return false;
    }
    const isNoted = await sessions.noteAuthentication(actor.sessionId, sessions.now().toISOString(), tx);
    if (!isNoted) throw new AppError('unauthenticated');
    return true;
  });
  if (!isRight) {
    if (attempt.isSuspicious) await notifyOfWrongCodes(ctx, actor.userId);
    throw refused({ code: secondFactorMessages.codeWrong });
  }
  await attempt.succeeded();
  log.info({ person: actor.userId, address: ctx.address }, 'a person has authenticated again');
}

/**
 * Stores that a provider has authenticated the person of a session again.
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
  // The person has signed out, or another person has signed in, since the flow was begun.
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
  if (Date.parse(at) < Date.parse(begun.at) - CLOCK_SKEW_MS) {
    const cause = new Error(`auth_time is ${at}, and the flow was begun at ${begun.at}`);
    throw new SignInRefused('not_reauthenticated', { cause });
  }
  if (!(await sessions.noteAuthentication(actor.sessionId, at))) throw new SignInRefused('expired');
  log.info({ person: actor.userId, address: ctx.address }, 'a person has authenticated again');
}
