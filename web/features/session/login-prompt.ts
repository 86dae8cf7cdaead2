import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.login-prompt';

/**
 * Whether a provider must ask for credentials at the next sign-in on this device: the person who signed out here may still
 * be signed in at the provider. Stored, so that neither a reload nor a second window forgets it.
 */
export function needsLoginPrompt(): boolean {
  return readStored('local', KEY) !== undefined;
}

/** Sets the mark after a sign-out, and removes it after the next sign-in. */
export function setLoginPrompt(needed: boolean): void {
  writeStored('local', KEY, needed ? 'yes' : undefined);
}
