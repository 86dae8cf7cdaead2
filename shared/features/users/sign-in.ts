import type { Role } from '../../permissions.ts';

/** An identity provider on the sign-in page. */
export type SignInProvider = {
  id: string;
  /** The name on its button. */
  name: string;
};

/** Answer of `session.options`: the options shown on the sign-in page. */
export type SignInOptions = {
  /** Whether a link to a new password can be mailed. */
  byMail: boolean;
  /** `emergency`: only one administrator may use a password. */
  passwords: 'on' | 'emergency';
  providers: SignInProvider[];
};

/**
 * Reasons why a sign-in at a provider has not started a session. `confirm` is not an error: the person signs in once
 * with the password or a passkey, which links the account.
 */
export const SIGN_IN_PROBLEMS = [
  'busy',
  'provider_down',
  'refused',
  'cancelled',
  'expired',
  'email_unverified',
  'not_invited',
  'no_role',
  'inactive',
  'linked_otherwise',
  'ask_administrator',
  'invitation_expired',
  'other_account',
  'no_auth_time',
  'not_reauthenticated',
  'confirm',
] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

/** Base path of the sign-in routes for identity providers. */
export const SIGN_IN_PATH = '/sign-in';

/**
 * The page to which a provider returns a person who has authenticated again, with `done=1`, or with the `problem`. The
 * person may close it.
 */
export const REAUTHENTICATED_PAGE = '/auth/reauthenticated';

/** Returns the address at which a signed-in person authenticates again at a provider. */
export function reauthenticationAddress(provider: string): string {
  return `${SIGN_IN_PATH}/${provider}/start?reauthenticate=1`;
}

/**
 * Returns the address that starts a sign-in at a provider.
 * @param next the page to open once signed in
 * @param forcesLogin makes the provider ask for credentials, even if a person is signed in there
 */
export function signInAddress(provider: string, next: string, forcesLogin = false): string {
  return `${SIGN_IN_PATH}/${provider}/start?next=${encodeURIComponent(next)}${forcesLogin ? '&fresh=1' : ''}`;
}

/**
 * The ways in which an external account is linked to a person: by an invitation to an e-mail address that the provider has
 * verified; by signing in once with the password or a passkey; by an administrator's permission; or when the sign-in creates
 * the person.
 */
export const LINKED_BY = ['invitation', 'password', 'passkey', 'administrator', 'provision'] as const;
export type LinkedBy = (typeof LINKED_BY)[number];

/** State of a person's account at one provider. Times are ISO. */
export type ProviderAccount = {
  provider: string;
  name: string;
  /** `allowed`: the next sign-in with the person's e-mail address links it. */
  state: 'none' | 'allowed' | 'linked';
  linkedBy: LinkedBy | null;
  lastUsedAt: string | null;
};

/** Settings and state of a provider, for administrators. */
export type ProviderStatus = {
  id: string;
  name: string;
  issuer: string;
  /** Addresses to register at the provider. */
  callbackUrl: string;
  logoutUrl: string;
  /** Reason why the provider cannot be used now; null if it can be reached. */
  problem: string | null;
  /** Role of people without an invitation; null if they are refused. */
  newPeople: string | null;
  /** Claims that determine role and buildings; null if administrators do. */
  rolesClaim: string | null;
  locationsClaim: string | null;
  linked: number;
  lastUsedAt: string | null;
  /** The sign that a person has authenticated again at this provider (`reauthentication` in the sign-in file). */
  reauthentication: 'auth_time' | 'prompt';
  /** Whether its newest sign-ins came without `auth_time`. */
  isWithoutAuthTime: boolean;
};

/** Answer of `session.signInStatus`. */
export type SignInStatus = {
  passwords: 'on' | 'emergency';
  /** The administrator who may still use a password; null with `on`. */
  emergencyEmail: string | null;
  /** The reason why that administrator could not sign in; null if they could. */
  emergencyProblem: string | null;
  /** Roles that need a second factor to sign in with a password, the number of their people, and how many have set one up. */
  secondFactor: { roles: Role[]; people: number; enrolled: number };
  providers: ProviderStatus[];
};
