/** A way of the organisation's to sign in. */
export type SignInProvider = {
  id: string;
  /** As it stands on the button. */
  name: string;
};

/** Answer of `session.options`: what the sign-in page offers. */
export type SignInOptions = {
  /** Whether a link to a new password can be mailed. */
  byMail: boolean;
  /** `emergency`: only one administrator may use a password. */
  passwords: 'on' | 'emergency';
  providers: SignInProvider[];
};

/**
 * Why a sign-in at a provider has not led to a session. `confirm` is none: the person signs in once with the password, which
 * links both.
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
  'confirm',
] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

/** Folder of the addresses that lead to a provider and back. */
export const SIGN_IN_PATH = '/sign-in';

/**
 * The address that leads to a provider.
 * @param next the page to open once signed in
 * @param isFresh makes the provider ask who it is, even if somebody is signed in there
 */
export function signInAddress(provider: string, next: string, isFresh = false): string {
  return `${SIGN_IN_PATH}/${provider}/start?next=${encodeURIComponent(next)}${isFresh ? '&fresh=1' : ''}`;
}

/**
 * How an account at a provider became a person's: they were invited, and the provider has verified their e-mail address; they
 * signed in once with their password; an administrator allowed it; or the provider may let in new people.
 */
export const LINKED_BY = ['invitation', 'password', 'administrator', 'provision'] as const;
export type LinkedBy = (typeof LINKED_BY)[number];

/** Of one provider: a person's account there. Times are ISO. */
export type ProviderAccount = {
  provider: string;
  name: string;
  /** `allowed`: the next sign-in with the person's e-mail address links it. */
  state: 'none' | 'allowed' | 'linked';
  linkedBy: LinkedBy | null;
  since: string | null;
  lastUsedAt: string | null;
};

/** A provider, for administrators. */
export type ProviderStatus = {
  id: string;
  name: string;
  issuer: string;
  /** What to enter at the provider. */
  callbackUrl: string;
  logoutUrl: string;
  /** Why it cannot be used now; null if it answers. */
  problem: string | null;
  /** The role of people whom nobody has invited; null: they are refused. */
  newPeople: string | null;
  /** The claims that decide role and buildings; null: administrators do. */
  rolesClaim: string | null;
  locationsClaim: string | null;
  linked: number;
  lastUsedAt: string | null;
};

/** Answer of `session.signInStatus`. */
export type SignInStatus = {
  passwords: 'on' | 'emergency';
  /** The administrator who may still use a password; null with `on`. */
  emergencyEmail: string | null;
  /** Why that administrator could not sign in; null if they could. */
  emergencyProblem: string | null;
  providers: ProviderStatus[];
};
