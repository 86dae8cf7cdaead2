import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.setup-code';

/** Stores the one-time code of the set-up link for the role selector, in this tab only. */
export function rememberSetupCode(code: string | undefined): void {
  writeStored('session', KEY, code);
}

/** Returns the one-time code stored in this tab; empty without one. */
export function rememberedSetupCode(): string {
  return readStored('session', KEY) ?? '';
}
