import type { SignInProblem } from './sign-in.ts';

/** Sentences about signing in with a passkey, or at the organisation's provider. `name` is the provider's. */
export const signInMessages = {
  passkey: 'Use a passkey',
  passkeyWaiting: 'Waiting for your passkey...',
  through: (name: string) => `Sign in with ${name}`,
  or: 'or',
  emergencyOnly: 'Use a password',
  emergencyStays:
    'This administrator alone may sign in with a password while passwords are switched off, so the account stays as it is.',
  emergencyFirst: (email: string) =>
    `Passwords are switched off except for ${email}. Use this address; otherwise nobody could sign in again.`,
  passwordsOff: (names: string) => `Passwords are switched off. Sign in with ${names}.`,
  problemTitle: 'Not signed in',
  problems: {
    busy: () => 'The server is busy. Please try again in a moment.',
    provider_down: (name) => `${name} does not answer. Try again in a few minutes.`,
    refused: (name) =>
      `The response from ${name} was not accepted. Try again, and tell your administrator if it happens again.`,
    cancelled: (name) => `Signing in with ${name} was cancelled.`,
    expired: () => 'The sign-in took too long or was started in another browser. Sign in again.',
    email_unverified: (name) =>
      `${name} has not verified your e-mail address, so you could not be identified. Ask your administrator.`,
    not_invited: (name) =>
      `There is no account for your e-mail address at ${name}. Ask your administrator to invite you.`,
    no_role: (name) => `Your account at ${name} gives no access to Lintel. Ask your administrator.`,
    inactive: () => 'Your account is deactivated. Ask your administrator.',
    linked_otherwise: (name) =>
      `Your account is linked to another account at ${name}. Ask your administrator to unlink it.`,
    ask_administrator: (name) =>
      `Ask an administrator to allow you to sign in with ${name}. You cannot confirm it yourself with a password.`,
    invitation_expired: () => 'Your invitation has expired. Ask your administrator for a new one.',
    other_account: (name) =>
      `This is not the account at ${name} that is linked to yours. Choose the other one there.`,
    no_auth_time: (name) =>
      `${name} does not say when you entered your credentials. Ask your administrator to set “reauthentication” in the sign-in file.`,
    not_reauthenticated: (name) =>
      `${name} did not ask for your credentials. Sign out there and try again; if that does not help, tell your administrator.`,
    confirm: (name) => `Sign in once with your password or passkey. From then on ${name} signs you in.`,
  } satisfies Record<SignInProblem, (name: string) => string>,
  emergencyMissing: (email: string) =>
    `There is no active account for ${email}, the only person who may sign in with a password.`,
  emergencyWithout: (email: string) =>
    `${email}, the only person who may sign in with a password, does not have one.`,
  emergencyPowerless: (email: string) =>
    `${email}, the only person who may sign in with a password, is not an administrator.`,

  title: 'Signing in',
  fetchFailed: 'The sign-in settings could not be loaded',
  none: 'People sign in with their e-mail address and a password.',
  noneText:
    'To let them sign in with your organisation’s accounts (OpenID Connect), set SIGN_IN_FILE where the server runs, and restart it.',
  well: 'People sign in with your organisation’s accounts.',
  down: (name: string) => `${name} cannot be used`,
  passwords: 'Passwords',
  passwordsOn: 'Can also be used',
  passwordsEmergency: (email: string) => `Only by ${email}, for emergencies`,
  issuer: 'Issuer',
  callback: 'Redirect address',
  logout: 'Back-channel logout address',
  newPeople: 'Without an invitation',
  newPeopleRefused: 'Are refused',
  newPeopleRole: (role: string) => `Become ${role}, without locations`,
  roles: 'Roles',
  locations: 'Locations',
  byClaim: (claim: string) => `Decided by “${claim}” at each sign-in`,
  byAdministrators: 'Decided by administrators',
  reauthentication: 'Authenticating again',
  reauthentications: {
    auth_time: 'The provider reports when people entered their credentials (auth_time)',
    prompt: 'The provider is asked for it and trusted (prompt=login)',
  },
  withoutAuthTime:
    'The provider does not report when people entered their credentials (auth_time), so they cannot confirm sensitive changes there. Set it up at the provider, or set “reauthentication” to “prompt” in the sign-in file.',
  linkedPeople: 'Linked people',
  lastUsed: 'Last used',
  never: 'Never',

  accounts: 'Organisation’s accounts',
  accountsFailed: 'The accounts could not be read',
  states: { none: 'Not linked', allowed: 'Allowed: is linked by the next sign-in there', linked: 'Linked' },
  linkedBys: {
    invitation: 'by the invitation',
    password: 'by the person’s password',
    passkey: 'by the person’s passkey',
    administrator: 'by an administrator’s permission',
    provision: 'at the person’s first sign-in',
  },
  allow: 'Allow',
  allowed: 'Sign-in allowed',
  allowFailed: 'Sign-in could not be allowed',
  unlinkQuestion: (person: string, name: string) =>
    `${person} can no longer sign in with ${name}, and is signed out wherever they have signed in with it.`,
  unlink: 'Unlink',
  unlinked: 'Account unlinked',
  unlinkFailed: 'The account could not be unlinked',
  linkTitle: (name: string) => `Link your account at ${name}`,
  notLinked: (name: string) =>
    `You are signed in, but ${name} was not linked, because that took too long. To link it, sign out and begin with “Sign in with ${name}” again.`,
  linked: (name: string) => `From now on you can sign in with ${name}.`,
} as const;
