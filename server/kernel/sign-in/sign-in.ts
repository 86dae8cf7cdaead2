import { createProviders, type Providers } from '../../adapters/auth/providers.ts';
import type { ProviderSettings, SignInSettings } from './sign-in-file.ts';

/** Sign-in settings, the identity providers, and the key for cookies of sign-in flows. */
export type SignIn = {
  settings: SignInSettings;
  providers: Providers<ProviderSettings>;
  /** The key that seals the cookies of a sign-in in progress. */
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

/** Whether passwords are switched off for the person with this address. */
export function isPasswordDisabledFor({ settings }: Pick<SignIn, 'settings'>, email: string): boolean {
  return settings.passwords === 'emergency' && !isEmergencyEmail(settings, email);
}

/** Whether people of a stored role need a second factor to sign in with a password. */
export function needsSecondFactor({ settings }: Pick<SignIn, 'settings'>, role: string | null): boolean {
  return settings.secondFactor.some((each) => each === role);
}

/** Whether this is the emergency administrator, whose role and account are kept so that not everyone is locked out. */
export function isEmergencyAdmin(
  { settings }: Pick<SignIn, 'settings'>,
  { email, role }: { email: string; role: string | null },
): boolean {
  return settings.passwords === 'emergency' && role === 'admin' && isEmergencyEmail(settings, email);
}

function isEmergencyEmail({ emergencyEmail }: SignInSettings, email: string): boolean {
  return email.toLowerCase() === emergencyEmail;
}
