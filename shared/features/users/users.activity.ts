import { type ActivityWords, isEmptied, wordsAbout } from '../../activity-words.ts';
import { ROLE_LABELS } from '../../permissions.ts';
import type { liveEntities } from './users.live.ts';
import type { LinkKind } from './users.ts';

const LINK_KIND_LABELS: Readonly<Record<LinkKind, string>> = { invite: 'Invitation', reset: 'New password' };

export const activity = {
  entities: {
    person: { one: 'user', many: 'users' },
    session: { one: 'session', many: 'sessions' },
    signIn: { one: 'sign-in', many: 'sign-ins' },
    // Shown in the line of the event that the notice is about.
    notice: null,
  },
  commands: {
    ...wordsAbout(['person'], {
      'users.setRole': 'changed the role of',
      'users.grant': 'gave building access to',
      'users.revoke': 'removed building access from',
      'users.setAccess': 'changed the location access of',
      'users.setActive': 'deactivated',
      'users.invite': 'invited',
      'users.makeLink': 'made a one-time link for',
      'users.renameMe': 'changed the name of',
      'users.allowProvider': 'allowed an organisation’s account for',
      'users.unlinkProvider': 'unlinked the organisation’s account of',
      'users.addSecondFactor': 'turned on 2-step verification of',
      'users.removeSecondFactor': 'turned off 2-step verification of',
      'users.addPasskey': 'added a passkey of',
      'users.renamePasskey': 'renamed a passkey of',
      'users.removePasskey': 'removed a passkey of',
      'users.resetSecondFactor': 'reset 2-step verification of',
      'admin.resetSecondFactor': 'reset 2-step verification of',
      'admin.resetPassword': 'changed the password of',
    }),
    // Shown in the lines of the ended sessions.
    'users.endSessions': null,
    'users.endMySession': null,
    'users.dismissNotices': null,
    // These commands change nothing that other people see.
    'users.beginPasskey': null,
    'users.beginSecondFactor': null,
    'users.makeRecoveryCodes': null,
  },
  endOfOwnSession: {
    'users.endMySession': 'ended one of their own sessions',
    'users.addSecondFactor': 'ended their sessions without 2-step verification',
    'users.removeSecondFactor': 'ended their sessions begun with 2-step verification',
    'users.removePasskey': 'ended their sessions begun with 2-step verification',
  },
  action: ({ command, changes }) =>
    command === 'users.setActive' && isEmptied(changes, 'deactivatedAt') ? 'reactivated' : undefined,
  fields: {
    building: 'Location access',
    buildings: 'Location access',
    deactivatedAt: 'Deactivated',
    invitedAt: 'Invited',
    link: 'One-time link',
    signInAt: 'Sign-in with',
    signInAllowed: 'Sign-in allowed with',
    secondFactor: '2-step verification',
    passkey: 'Passkey',
    firstName: 'First name',
    lastName: 'Last name',
  },
  values: { role: ROLE_LABELS, link: LINK_KIND_LABELS },
} satisfies ActivityWords<typeof liveEntities>;
