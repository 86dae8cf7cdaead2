import { createProviders, type Providers } from '../../adapters/auth/providers.ts';
import type { ProviderSettings, SignInSettings } from './sign-in-file.ts';

/** How people sign in besides their passwords. */
export type SignIn = {
  settings: SignInSettings;
  providers: Providers<ProviderSettings>;
  /** Seals what browsers keep during a sign-in. */
  readonly key: Buffer;
  /** Sets the key, which all processes of the installation share. */
  use(key: Buffer): void;
};

export function createSignIn(settings: SignInSettings): SignIn {
  let used: Buffer | undefined;
  return {
    settings,
    providers: createProviders(settings.providers),
    get key() {
      if (used === undefined) throw new Error('the key is not known yet');
      return used;
    },
    use(key) {
      used = key;
    },
  };
}

/** Whether a password is refused to everybody but one administrator, and this is not the one. */
export function isWithoutPassword({ settings }: Pick<SignIn, 'settings'>, email: string): boolean {
  return settings.passwords === 'emergency' && !isEmergencyEmail(settings, email);
}

/** Whether this is the one administrator who may still use a password. Role and account stay, or nobody might get in. */
export function isEmergencyAdmin(
  { settings }: Pick<SignIn, 'settings'>,
  { email, role }: { email: string; role: string | null },
): boolean {
  return settings.passwords === 'emergency' && role === 'admin' && isEmergencyEmail(settings, email);
}

function isEmergencyEmail({ emergencyEmail }: SignInSettings, email: string): boolean {
  return email.toLowerCase() === emergencyEmail;
}
