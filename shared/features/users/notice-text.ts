import { assertNever } from '../../assert-never.ts';
import { deviceName } from '../../offline/device-name.ts';
import type { AccountNotice } from './users.ts';

// The texts of account notices, the same on screens and in mails.

type Said = Pick<AccountNotice, 'kind' | 'by' | 'address' | 'userAgent'>;

/** The event of a notice, as a sentence. */
export function noticeText(notice: Said): string {
  const { kind, by, address } = notice;
  switch (kind) {
    case 'link_made':
      return `${by ?? 'An administrator'} made a one-time link that can set a new password for your account.`;
    case 'password_changed':
      if (address === '') return 'Your password was changed by the operator of this server.';
      if (by !== null) {
        return `Your password was set through a one-time link made by ${by}, followed from ${placeOf(notice)}.`;
      }
      return `Your password was changed from ${placeOf(notice)}.`;
    case 'new_device':
      return `A new device signed in to your account from ${placeOf(notice)}.`;
    case 'second_factor_added':
      return `2-step verification was turned on for your account from ${placeOf(notice)}.`;
    case 'second_factor_removed':
      if (address === '') return '2-step verification was turned off by the operator of this server.';
      return by === null
        ? `2-step verification was turned off for your account from ${placeOf(notice)}.`
        : `${by} reset 2-step verification for your account.`;
    case 'second_factor_failed':
      return `Somebody entered your password and several wrong codes from ${placeOf(notice)}.`;
    case 'recovery_code_used':
      return `A recovery code was used to sign in to your account from ${placeOf(notice)}.`;
    case 'recovery_codes_made':
      return `New recovery codes were made for your account from ${placeOf(notice)}.`;
    case 'provider_allowed':
      return `${by ?? 'An administrator'} allowed an organisation’s account with your e-mail address to sign in as you.`;
    case 'provider_linked':
      return `An organisation’s account was linked to your account from ${placeOf(notice)}.`;
    case 'passkey_added':
      return `A passkey was added to your account from ${placeOf(notice)}.`;
    case 'passkey_removed':
      return `A passkey was removed from your account from ${placeOf(notice)}.`;
    case 'api_key_created':
      return `An API key that acts in your name was created from ${placeOf(notice)}.`;
    case 'webhook_added':
      return `A webhook that reports changes in your name was added, or switched on, from ${placeOf(notice)}.`;
    case 'webhook_off':
      return 'A webhook was switched off. Settings says which, and why.';
    default:
      return assertNever(kind);
  }
}

/** The advice on how to respond. */
export function noticeAdvice({ kind, by }: Said): string {
  if (kind === 'link_made') {
    return 'If you did not ask for a new password, please tell another administrator.';
  }
  if (kind === 'passkey_added') {
    return 'If this was not you, remove it under My Account, change your password at once and tell an administrator.';
  }
  if (kind === 'api_key_created') {
    return 'If this was not you, revoke it under Settings, change your password at once and tell another administrator.';
  }
  if (kind === 'webhook_added') {
    return 'If this was not you, remove it under Settings, change your password at once and tell another administrator.';
  }
  if (kind === 'webhook_off') return 'Its receiver is not told of changes until it is switched on again.';
  if (kind === 'new_device') {
    return 'If this was not you, change your password at once, remove passkeys that you do not know and tell an administrator.';
  }
  const byAdministrator = kind === 'provider_allowed' || (kind === 'second_factor_removed' && by !== null);
  return byAdministrator
    ? 'If you did not ask for this, please tell another administrator.'
    : 'If this was not you, change your password at once and tell an administrator.';
}

/** The subject of the mail. */
export function noticeSubject({ kind }: Said): string {
  switch (kind) {
    case 'link_made':
      return 'A link to a new password for Lintel';
    case 'password_changed':
      return 'Your Lintel password was changed';
    case 'new_device':
      return 'A new device signed in to Lintel';
    case 'second_factor_added':
      return '2-step verification was turned on for Lintel';
    case 'second_factor_removed':
      return '2-step verification was turned off for Lintel';
    case 'second_factor_failed':
      return 'Wrong codes were entered for your Lintel account';
    case 'recovery_code_used':
      return 'A recovery code was used to sign in to Lintel';
    case 'recovery_codes_made':
      return 'New recovery codes were made for Lintel';
    case 'provider_allowed':
      return 'An organisation’s account was allowed for Lintel';
    case 'provider_linked':
      return 'An organisation’s account was linked to Lintel';
    case 'passkey_added':
      return 'A passkey was added for Lintel';
    case 'passkey_removed':
      return 'A passkey was removed for Lintel';
    case 'api_key_created':
      return 'An API key was created for Lintel';
    case 'webhook_added':
      return 'A webhook of Lintel was added or switched on';
    case 'webhook_off':
      return 'A webhook of Lintel was switched off';
    default:
      return assertNever(kind);
  }
}

/** "192.0.2.7 (Chrome on Windows)" */
function placeOf({ address, userAgent }: Said): string {
  return `${address} (${deviceName(userAgent)})`;
}
