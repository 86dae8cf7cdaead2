import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import type { Assertion, Attestation } from '#shared/features/users/passkeys.ts';
import { reauthenticationMessages } from '#shared/features/users/reauthentication-messages.ts';
import { toastFailure } from '../../../forms/toasts.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { toast } from '../../../ui/feedback/toast.ts';

type SignInAnswer = Awaited<ReturnType<typeof api.session.signInWithPasskey.mutate>>;

/**
 * Signs in with a passkey that the person chooses.
 * @param linking the provider whose account is linked by this sign-in
 * @param beginAnew of the session
 * @returns undefined if that failed, of which a toast tells
 */
export async function signInWithPasskey(
  linking: string | undefined,
  beginAnew: (work: () => Promise<SignInAnswer>) => Promise<SignInAnswer>,
): Promise<SignInAnswer | undefined> {
  try {
    const { options, challenge } = await api.session.beginPasskeySignIn.mutate({});
    const input = { challenge, assertion: await sign(options), ...(linking !== undefined && { linking }) };
    return await beginAnew(() => api.session.signInWithPasskey.mutate(input));
  } catch (error) {
    toastPasskeyFailure(error, passkeyMessages.signInFailed, passkeyMessages.cancelled);
    return undefined;
  }
}

/**
 * Authenticates the signed-in person again with one of their passkeys.
 * @returns false if that failed, of which a toast tells
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

/** Creates a passkey where the person chooses. */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<Attestation> {
  const { id, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { credentialId: id, clientDataJSON, attestationObject, transports };
}

/**
 * Shows a toast that a passkey was not used or made.
 * @param failed what could not be done
 * @param cancelled the sentence for a person who has closed the browser's dialog, which is no failure
 */
export function toastPasskeyFailure(error: unknown, failed: string, cancelled: string): void {
  const name = error instanceof Error ? error.name : '';
  // Also after the browser has waited too long.
  if (name === 'NotAllowedError' || name === 'AbortError') toast({ title: failed, text: cancelled });
  else if (name === 'InvalidStateError') toastFailure(error, failed, passkeyMessages.alreadyHere);
  else toastFailure(error, failed);
}
