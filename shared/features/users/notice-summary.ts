import { plural } from '../../text/plural.ts';
import type { AccountNotice, NoticeKind } from './users.ts';

/** The phrase for a number of notices of each kind. A summary names the kinds in this order. */
const SUMMARIES: Readonly<Record<NoticeKind, (count: number) => string>> = {
  password_changed: () => 'Your password was changed',
  link_made: () => 'A link to a new password was made',
  second_factor_failed: () => 'Wrong codes were entered with your password',
  second_factor_removed: () => '2-step verification was turned off',
  recovery_code_used: () => 'A recovery code was used',
  recovery_codes_made: () => 'New recovery codes were made',
  api_key_created: () => 'An API key was created',
  webhook_added: () => 'A webhook was added or switched on',
  passkey_added: () => 'A passkey was added',
  passkey_removed: () => 'A passkey was removed',
  provider_linked: () => 'An organisation’s account was linked',
  provider_allowed: () => 'An organisation’s account was allowed',
  second_factor_added: () => '2-step verification was turned on',
  new_device: (count) => plural(count, 'new sign-in'),
  webhook_off: () => 'A webhook was switched off',
};

/** All notices in one line, those about the password first: "Your password was changed, 3 new sign-ins". */
export function noticeSummary(notices: readonly Pick<AccountNotice, 'kind'>[]): string {
  // The cast: Object.entries loses the type of the keys.
  const said = (Object.entries(SUMMARIES) as [NoticeKind, (count: number) => string][]).map(([of, say]) => {
    const count = notices.filter(({ kind }) => kind === of).length;
    return count === 0 ? '' : say(count);
  });
  return said.filter(Boolean).join(', ');
}
