import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { Person } from '#shared/features/users/users.ts';
import type { MenuItem } from '../../ui/dialogs/menu-props.ts';

/** Actions on a person besides role and buildings. */
export type PersonAction =
  | 'history'
  | 'sessions'
  | 'accounts'
  | 'secondFactor'
  | 'link'
  | 'signOut'
  | 'deactivate'
  | 'reactivate';

/** Returns the menu of a person's card, by groups. */
export function menuOf(
  person: Person,
  self: boolean,
  onSelect: (action: PersonAction) => void,
  /** Whether identity providers are configured. */
  hasProviders: boolean,
): MenuItem[][] {
  const item = (key: PersonAction, label: string, rest: Partial<MenuItem> = {}): MenuItem => ({
    key,
    label,
    onSelect: () => onSelect(key),
    ...rest,
  });
  const active = person.deactivatedAt === null;
  return [
    [
      item('history', 'Role history'),
      item('sessions', 'Sessions'),
      ...(hasProviders ? [item('accounts', signInMessages.accounts)] : []),
    ],
    active
      ? [
          ...(self
            ? []
            : [item('link', person.invitedAt === null ? 'Password-reset link' : 'New invitation link')]),
          item('signOut', 'Sign out everywhere'),
          ...(self ? [] : [item('secondFactor', secondFactorMessages.reset)]),
        ]
      : [],
    self
      ? []
      : [active ? item('deactivate', 'Deactivate', { tone: 'bad' }) : item('reactivate', 'Reactivate')],
  ];
}
