import { SIGN_IN_DEFAULTS, type SignInSettings } from '#server/kernel/sign-in/sign-in-file.ts';

/** A configured provider at which nobody signs in. */
export const UNREACHED_PROVIDER = {
  id: 'harbour',
  name: 'Harbour Group',
  issuer: 'https://id.harbour.example',
  clientId: 'lintel',
  scopes: ['openid'],
  emailVerified: 'claim',
  reauthentication: 'auth_time',
} as const;

/** The settings of a server with that provider. */
export const WITH_UNREACHED_PROVIDER: SignInSettings = {
  ...SIGN_IN_DEFAULTS,
  providers: [{ ...UNREACHED_PROVIDER, scopes: [...UNREACHED_PROVIDER.scopes] }],
};
