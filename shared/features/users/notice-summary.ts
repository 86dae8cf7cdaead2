import { plural } from '../../text/plural.ts';
import type { AccountNotice } from './users.ts';

/** All notices in one line, those about the password first: "Your password was changed, 3 new sign-ins". */
export function noticeSummary(notices: readonly Pick<AccountNotice, 'kind'>[]): string {
  const count = (of: AccountNotice['kind']) => notices.filter(({ kind }) => kind === of).length;
  const signIns = count('new_device');
  return [
    count('password_changed') > 0 && 'Your password was changed',
    count('link_made') > 0 && 'A link to a new password was made',
    count('second_factor_failed') > 0 && 'Wrong codes were entered with your password',
    count('second_factor_removed') > 0 && '2-step verification was turned off',
    count('recovery_code_used') > 0 && 'A recovery code was used',
    count('recovery_codes_made') > 0 && 'New recovery codes were made',
    count('api_key_created') > 0 && 'An API key was created',
    count('passkey_added') > 0 && 'A passkey was added',
    count('passkey_removed') > 0 && 'A passkey was removed',
    count('provider_linked') > 0 && 'An organisation’s account was linked',
    count('provider_allowed') > 0 && 'An organisation’s account was allowed',
    count('second_factor_added') > 0 && '2-step verification was turned on',
    signIns > 0 && plural(signIns, 'new sign-in'),
  ]
    .filter(Boolean)
    .join(', ');
}
