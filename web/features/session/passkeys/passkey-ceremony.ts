import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import type { Assertion, Attestation } from '#shared/features/users/passkeys.ts';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { toastPasskeyFailure } from './passkey-failure.ts';

type SignInAnswer = Awaited<ReturnType<typeof api.session.signInWithPasskey.mutate>>;

/**
 * Signs in with a passkey that the person chooses.
 * @param how.linking the provider whose account is linked by this sign-in
 * @param how.isOnlyWay whether the person has no other way to sign in
 * @param how.beginAnew the session's function of this name
 * @returns undefined on failure; a toast gives the reason
 */
export async function signInWithPasskey({
  linking,
  isOnlyWay,
  beginAnew,
}: {
  linking: string | undefined;
  isOnlyWay: boolean;
  beginAnew: (work: () => Promise<SignInAnswer>) => Promise<SignInAnswer>;
}): Promise<SignInAnswer | undefined> {
  try {
    const { options, challenge } = await api.session.beginPasskeySignIn.mutate({});
    const input = { challenge, assertion: await sign(options), ...(linking !== undefined && { linking }) };
    return await beginAnew(() => api.session.signInWithPasskey.mutate(input));
  } catch (error) {
    const cancelled = isOnlyWay ? passkeyMessages.cancelledOnlyWay : passkeyMessages.cancelled;
    toastPasskeyFailure(error, passkeyMessages.signInFailed, cancelled);
    return undefined;
  }
}

/**
 * Authenticates the signed-in person again with one of their passkeys.
 * @returns false on failure; a toast gives the reason
 */
export async function reauthenticateWithPasskey(): Promise<boolean> {
  try {
    const { options, challenge } = await api.session.beginPasskeyReauthentication.mutate({});
    await api.session.reauthenticateWithPasskey.mutate({ challenge, assertion: await sign(options) });
    return true;
  } catch (error) {
    toastPasskeyFailure(error, reauthenticationMessages.failed, passkeyMessages.cancelled);
    return false;
  }
}

async function sign(options: PublicKeyCredentialRequestOptionsJSON): Promise<Assertion> {
  const { id, response } = await startAuthentication({ optionsJSON: options });
  const { clientDataJSON, authenticatorData, signature } = response;
  return { credentialId: id, clientDataJSON, authenticatorData, signature };
}

/** Creates a passkey. The person chooses in the browser's dialog where it is stored. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<Attestation> {
  const { id, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { credentialId: id, clientDataJSON, attestationObject, transports };
}

/** Closes the browser's dialog for a passkey, if it is open. */
export function cancelCeremony(): void {
  WebAuthnAbortService.cancelCeremony();
}
