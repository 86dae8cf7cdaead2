import type { SignInProblem } from './sign-in.ts';

/** Sentences about signing in at the organisation's provider. `name` is the provider's. */
export const signInMessages = {
  through: (name: string) => `Sign in with ${name}`,
  or: 'or',
  emergencyOnly: 'Use a password',
  emergencyStays:
    'This administrator alone may sign in with a password while passwords are switched off, so the account stays as it is.',
  emergencyFirst: (email: string) =>
    `Passwords are switched off but for ${email}. Use this address, or nobody could sign in again.`,
  passwordsOff: (names: string) => `Passwords are switched off. Sign in with ${names}.`,
  problemTitle: 'Not signed in',
  problems: {
    busy: () => 'The server is busy. Please try again in a moment.',
    provider_down: (name) => `${name} does not answer. Try again in a few minutes.`,
    refused: (name) =>
      `What ${name} answered could not be accepted. Try again, and tell your administrator if it happens again.`,
    cancelled: (name) => `Signing in with ${name} was cancelled.`,
    expired: () => 'That took too long, or was begun in another browser. Sign in again.',
    email_unverified: (name) =>
      `${name} has not confirmed your e-mail address, so it is not known who you are. Ask your administrator.`,
    not_invited: (name) =>
      `There is no account for your e-mail address at ${name}. Ask your administrator to invite you.`,
    no_role: (name) => `Your account at ${name} gives no access to Lintel. Ask your administrator.`,
    inactive: () => 'Your account is deactivated. Ask your administrator.',
    linked_otherwise: (name) =>
      `Your account is linked to another account at ${name}. Ask your administrator to unlink it.`,
    ask_administrator: (name) =>
      `Ask an administrator to allow you to sign in with ${name}: passwords, with which you could confirm it yourself, are switched off.`,
    confirm: (name) => `Sign in once with your password. From then on ${name} signs you in.`,
  } satisfies Record<SignInProblem, (name: string) => string>,
  emergencyMissing: (email: string) =>
    `There is no active account for ${email}, who alone may sign in with a password.`,
  emergencyWithout: (email: string) => `${email}, who alone may sign in with a password, has none.`,
  emergencyPowerless: (email: string) =>
    `${email}, who alone may sign in with a password, is not an administrator.`,

  title: 'Signing in',
  fetchFailed: 'How people sign in could not be read',
  none: 'People sign in with their e-mail address and a password.',
  noneText:
    'To let them sign in with your organisation’s accounts (OpenID Connect), set SIGN_IN_FILE where the server runs, and restart it.',
  well: 'People sign in with your organisation’s accounts.',
  down: (name: string) => `${name} cannot be used`,
  passwords: 'Passwords',
  passwordsOn: 'Can be used, too',
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
  linkedPeople: 'Linked people',
  lastUsed: 'Last used',
  never: 'Never',

  accounts: 'Organisation’s accounts',
  accountsFailed: 'The accounts could not be read',
  states: { none: 'Not linked', allowed: 'Allowed: is linked by the next sign-in there', linked: 'Linked' },
  linkedBys: {
    invitation: 'by the invitation',
    password: 'by the person’s password',
    administrator: 'by an administrator’s permission',
    provision: 'when the person came',
  },
  allow: 'Allow',
  allowed: 'Sign-in allowed',
  allowFailed: 'Sign-in could not be allowed',
  unlink: 'Unlink',
  unlinked: 'Account unlinked',
  unlinkFailed: 'The account could not be unlinked',
  linked: (name: string) => `From now on you can sign in with ${name}.`,
} as const;
