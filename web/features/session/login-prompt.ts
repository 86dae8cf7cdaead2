import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.login-prompt';

/**
 * Returns whether a provider must ask for credentials at the next sign-in on this device, because the person who signed out
 * here may still be signed in at the provider. The mark is stored, so that a reload or a second window still has it.
 */
export function needsLoginPrompt(): boolean {
  return readStored('local', KEY) !== undefined;
}

/** Sets the mark after a sign-out, and removes it after the next sign-in. */
export function setLoginPrompt(needed: boolean): void {
  writeStored('local', KEY, needed ? 'yes' : undefined);
}
