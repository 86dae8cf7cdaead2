import type { Transaction } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import type {
  Assertion,
  PasskeyReauthenticationInput,
  PasskeySignInInput,
} from '#shared/features/users/passkeys.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import { findPerson } from '../../access/people.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { consumeChallenge, openChallenge, sealChallenge } from '../../accounts/passkey-challenges.ts';
import {
  assertRelyingParty,
  findPasskey,
  listPasskeys,
  mayUsePasskey,
  notePasskeySession,
  noteUse,
} from '../../accounts/passkeys.ts';
import { requestOptions, verifyAssertion } from '../../adapters/auth/passkeys.ts';
import { networkOf } from '../../adapters/network/network-of.ts';
import type { Context, Services, SignedInContext } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { completeEntry, enterAccount, type SignInAnswer } from './enter-account.ts';

const SIGN_IN = { purpose: 'sign-in', subject: '' } as const;
const COMMAND = 'session.signInWithPasskey';
const { notAccepted: NOT_ACCEPTED, expired: EXPIRED } = passkeyMessages;

/**
 * Returns the options for the browser to sign in with a passkey, and the sealed challenge. They name no account, so the
 * browser offers the passkeys that it finds.
 * @throws AppError `forbidden` if there are no passkeys at this address
 */
export async function beginPasskeySignIn({ services, origin }: Context) {
  const options = await requestOptions(assertRelyingParty(origin), []);
  return { options, challenge: sealChallenge(services, SIGN_IN, options.challenge) };
}

/**
 * Signs a person in with a passkey, which is both factors at once: the person has the authenticator, and the authenticator has
 * verified the PIN, fingerprint or face.
 * @throws AppError `unauthenticated` if the passkey is not accepted. Only the holder of the passkey learns more about the account
 */
export async function signInWithPasskey(ctx: Context, input: PasskeySignInInput): Promise<SignInAnswer> {
  const { services } = ctx;
  try {
    const challenge = openChallenge(services, SIGN_IN, input.challenge);
    if (challenge === undefined) throw new Refused('the challenge has expired or is not ours', EXPIRED);
    const used = await verify(ctx, networkOf(ctx.address), challenge, input.assertion);
    return await enter(ctx, challenge, used, input.linking);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const tried = { address: ctx.address, person: error.userId, causes: describeError(error) };
    services.log.warn(tried, 'a sign-in with a passkey was refused');
    throw new AppError('unauthenticated', { message: error.sentence });
  }
}

async function enter(
  ctx: Context,
  challenge: string,
  used: Used,
  linking: string | undefined,
): Promise<SignInAnswer> {
  const { services } = ctx;
  const { userId } = used;
  const work = async (tx: Transaction) => {
    const held = await lockAccount(tx, userId);
    const person = await findPerson(tx, userId);
    if (person === undefined || held.deactivatedAt !== null) {
      throw new Refused('the account is deactivated', signInMessages.problems.inactive(), userId);
    }
    const isAllowed = await mayUsePasskey(tx, services, { userId, email: person.email });
    if (!isAllowed || held.passwordHash === null) {
      throw new Refused('passwords are switched off for this person', passkeyMessages.notAllowed, userId);
    }
    await noteUsed(tx, services, challenge, used);
    const account = { userId, passwordHash: held.passwordHash };
    const isKnown = (await services.devices.recognise(ctx.device, account)) !== undefined;
    const by = { userId, command: COMMAND, link: null, linking } as const;
    const entry = await enterAccount(tx, ctx, by, { isKnown, hasSecondFactor: true });
    await notePasskeySession(tx, entry.session.id, used.id);
    return { account, entry };
  };
  // Limited by `services.commands`, because a response, unlike a password, costs the sender nothing.
  const { account, entry } = await services.commands.run(userId, () => services.db.transaction(work));
  return completeEntry(ctx, account, entry);
}

/**
 * Returns the options for the browser to authenticate the signed-in person again with one of their passkeys.
 * @throws AppError `forbidden` if they have none at this address
 */
export async function beginPasskeyReauthentication({ services, actor, origin }: SignedInContext) {
  const party = assertRelyingParty(origin);
  const own = (await listPasskeys(services.db, actor.userId)).filter(({ rpId }) => rpId === party.id);
  if (own.length === 0) throw new AppError('forbidden', { message: passkeyMessages.notHere });
  const options = await requestOptions(party, own);
  return { options, challenge: sealChallenge(services, ceremonyOf(actor), options.challenge) };
}

/**
 * Authenticates the signed-in person again with a passkey.
 * @throws AppError `forbidden` if the passkey is not accepted
 */
export async function reauthenticateWithPasskey(
  ctx: SignedInContext,
  input: PasskeyReauthenticationInput,
): Promise<void> {
  const { services, actor } = ctx;
  const by = { person: actor.userId, address: ctx.address };
  try {
    const challenge = openChallenge(services, ceremonyOf(actor), input.challenge);
    if (challenge === undefined) throw new Refused('the challenge has expired or is not ours', EXPIRED);
    const used = await verify(ctx, actor.userId, challenge, input.assertion);
    if (used.userId !== actor.userId) throw new Refused('the passkey is another person’s');
    const work = async (tx: Transaction) => {
      await lockAccount(tx, actor.userId);
      if (!(await mayUsePasskey(tx, services, actor))) {
        throw new Refused('passwords are switched off for this person', passkeyMessages.notAllowed);
      }
      await noteUsed(tx, services, challenge, used);
      const { sessions } = services;
      const isNoted = await sessions.noteAuthentication(actor.sessionId, sessions.now().toISOString(), tx);
      if (!isNoted) throw new AppError('unauthenticated');
    };
    await services.commands.run(actor.userId, () => services.db.transaction(work));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    services.log.warn({ ...by, causes: describeError(error) }, 'a reauthentication was refused');
    // Not `unauthenticated`, which would mean that the session has ended.
    throw new AppError('forbidden', { message: error.sentence });
  }
  services.log.info(by, 'a person has authenticated again');
}

/** A passkey that has signed the challenge. */
type Used = { id: string; userId: string; counter: number };

/**
 * Verifies a signed challenge.
 * @param caller reads with the same caller share one limit
 * @throws Refused
 */
async function verify(
  { services, origin }: Context,
  caller: string,
  challenge: string,
  assertion: Assertion,
): Promise<Used> {
  const party = assertRelyingParty(origin);
  const found = await services.reads.run(caller, () => findPasskey(services.db, assertion.credentialId));
  if (found === undefined) throw new Refused('the passkey is unknown');
  const { id, userId } = found;
  try {
    return { id, userId, counter: await verifyAssertion(party, challenge, assertion, found) };
  } catch (error) {
    throw new Refused('the response is not valid', NOT_ACCEPTED, userId, { cause: error });
  }
}

/** Stores the use of the passkey and of the challenge, in the transaction that has locked the account. @throws Refused */
async function noteUsed(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  challenge: string,
  { id, userId, counter }: Used,
): Promise<void> {
  const now = clock.now();
  if (!(await consumeChallenge(tx, challenge, now)))
    throw new Refused('the response was used before', EXPIRED, userId);
  if (!(await noteUse(tx, { id, counter, at: now.toISOString() }))) {
    throw new Refused('the passkey was removed, or its counter has not risen', NOT_ACCEPTED, userId);
  }
}

/** A refusal. The reason is for the log; the person gets the sentence. */
class Refused extends Error {
  readonly sentence: string;
  readonly userId: string | undefined;

  constructor(reason: string, sentence: string = NOT_ACCEPTED, userId?: string, options?: ErrorOptions) {
    super(reason, options);
    this.sentence = sentence;
    this.userId = userId;
  }
}

function ceremonyOf({ sessionId }: { sessionId: string }) {
  return { purpose: 'reauthentication', subject: sessionId } as const;
}
