import { type ActivityWords, isEmptied, wordsAbout } from '../../activity-words.ts';

export const activity = {
  // The feature has no rows of its own: its commands change people.
  entities: {},
  commands: {
    ...wordsAbout(['person'], {
      'session.setup': 'set Lintel up and became',
      'session.changePassword': 'changed the password of',
      'session.followLink': 'used a one-time link to set the password of',
      'session.completeEnrolment': 'turned on 2-step verification of',
      'provider.applyMapping': 'set, by the organisation’s sign-in, the access of',
      'provider.revokeAccess': 'revoked, by the organisation’s sign-in, the access of',
      'provider.provision': 'added, by the organisation’s sign-in,',
    }),
    // Shown in the lines of the sign-in and of the end of the session.
    'session.signIn': null,
    'session.completeSignIn': null,
    'session.signInWithPasskey': null,
    'session.signOut': null,
    // These commands change nothing that other people see.
    'session.touch': null,
    'session.link': null,
    'session.forgotPassword': null,
    'session.reauthenticate': null,
    'session.beginEnrolment': null,
    'session.beginPasskeySignIn': null,
    'session.beginPasskeyReauthentication': null,
    'session.reauthenticateWithPasskey': null,
  },
  endOfOwnSession: {
    'session.signOut': 'signed out',
    'session.signIn': 'was signed out by another sign-in in the same browser',
    'session.changePassword': 'ended their other sessions',
    'session.followLink': 'ended their earlier sessions',
    'session.signInAt': 'was signed out by another sign-in in the same browser',
    'session.endByProvider': 'was signed out by the organisation’s sign-in',
    'session.endReplayed': 'was signed out because an old copy of their sign-in was used',
  },
  bulk: { 'session.setup': 'added sample' },
  action({ command, entity, op, changes }) {
    const byLink = command === 'session.followLink';
    const isLinked = changes?.['signInAt'] !== undefined && !isEmptied(changes, 'signInAt');
    if (entity === 'person' && isLinked) return 'linked an organisation’s account to';
    if (entity === 'signIn' && op === 'put') {
      if (command === 'session.signInWithPasskey') return 'signed in with a passkey';
      return byLink ? 'signed in with a one-time' : 'signed in';
    }
    return byLink && isEmptied(changes, 'invitedAt') ? 'accepted the invitation of' : undefined;
  },
  subject: (entity, row) => (entity === 'signIn' ? ofSignIn(row) : undefined),
} satisfies ActivityWords;

/** The origin of a sign-in: "link made by Ada Smith, followed from 192.0.2.7 (Chrome on Windows)". */
function ofSignIn(row: object): string {
  const place = `from ${String(Reflect.get(row, 'address'))} (${String(Reflect.get(row, 'device'))})`;
  const provider: unknown = Reflect.get(row, 'provider');
  if (typeof provider === 'string') return `with ${provider}, ${place}`;
  const link: unknown = Reflect.get(row, 'link');
  if (typeof link !== 'object' || link === null) return place;
  const maker: unknown = Reflect.get(link, 'madeBy');
  return `link${typeof maker === 'string' ? ` made by ${maker}` : ''}, followed ${place}`;
}
