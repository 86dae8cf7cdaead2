import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'lintel.setup-code';

/** Carries the one-time code from the set-up link to the role selector, within this tab alone. */
export function rememberSetupCode(code: string | undefined): void {
  writeStored('session', KEY, code);
}

export function rememberedSetupCode(): string {
  return readStored('session', KEY) ?? '';
}
