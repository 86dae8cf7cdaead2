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
