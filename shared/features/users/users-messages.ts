import { formatNumber } from '../../format-number.ts';
import { plural } from '../../text/plural.ts';

/** Sentences about people; in a file of their own because every first screen loads `messages.ts`. */
export const userMessages = {
  fetchFailed: 'Failed to fetch users',
  roleUpdated: 'User role updated successfully',
  roleFailed: 'Failed to update user role',
  roleMovedOn: (role: string) =>
    `Someone else has just changed this role to ${role}. Nothing was changed. Choose again if you want a different role.`,
  allBuildings: 'all buildings',
  allOfClient: 'all buildings of this client',
  adminAccess: 'Administrators have access to every building.',
  accessGranted: 'Location access granted successfully',
  grantFailed: 'Failed to grant location access',
  accessRevoked: 'Location access revoked successfully',
  revokeFailed: 'Failed to revoke location access',
  setupMode: 'Setup Mode',
  setupModeText:
    "You don't have admin privileges yet. You can assign yourself admin role below to get full access.",
  lastAdmin: 'The last administrator cannot be given another role.',
  ownRoleUp: 'You cannot raise your own role.',
  you: '(You)',
  count: (n: number) => plural(n, 'user'),
  noneMatch: 'No users match your search.',
  cut: (most: number) =>
    `Only ${formatNumber(most)} people are listed and searched here: all administrators, then the newest of the others. The export includes everyone.`,
  stepDown: (role: string) =>
    `You will be ${role} and no longer an administrator. Only another administrator can change this back.`,
  invite: 'Invite User',
  invited: 'Invitation created',
  inviteFailed: 'Failed to invite user',
  emailTaken: 'Someone with this email address already has an account.',
  linkOnce: 'This link is shown only once. Anyone who has it can use it once to choose the password.',
  linkMailed: (email: string) => `The link has been sent to ${email}.`,
  linkNotMailed:
    'The email could not be sent, so no one has received the link. Please try again once the mail server answers.',
  linkMadeBefore:
    'This link has already been created. It is not shown a second time: if it has not arrived, make another.',
  linkExpires: (when: string) => `Valid until ${when}, or until a new link is created.`,
  linkFailed: 'Failed to create the link',
  linkCopied: 'Link copied',
  deactivated: 'User deactivated successfully',
  deactivateFailed: 'Failed to deactivate user',
  deactivateConfirm: (name: string) =>
    `${name} will be signed out everywhere immediately and cannot sign in until reactivated. Their records are kept.`,
  reactivated: 'User reactivated successfully',
  reactivateFailed: 'Failed to reactivate user',
  ownAccount: 'You cannot deactivate your own account.',
  ownLink: 'Change your own password on the Account page.',
  lastAdminActive: 'The last administrator cannot be deactivated.',
  inactive: 'This account is deactivated. Reactivate it first.',
  signedOutEverywhere: (name: string) => `${name} has been signed out everywhere.`,
  dismissFailed: 'Failed to dismiss the notice',
  sessionEnded: 'Session ended',
  signOutFailed: 'Failed to end the session',
  signOutConfirm: (name: string) => `${name} will have to sign in again in every window and on every device.`,
  sessionsFailed: 'Failed to load sessions',
  noSessions: 'Not signed in anywhere.',
  historyFailed: 'Failed to load the role history',
  noHistory: 'No role has been assigned. This person is a viewer by default.',
  locationsText: 'Add clients, buildings and floors, or browse existing ones.',
  buildingsText: 'Add a building with its client, address and floors.',
  onlyAdministrators: 'Only administrators can manage this.',
} as const;
