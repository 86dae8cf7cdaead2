import { formatNumber } from '../../format-number.ts';
import type { DeliveryError, DeliveryState, WebhookOffReason } from './webhooks.vocabulary.ts';
import { ANSWER_WITHIN_S, COUNTED_MAX, FAILING_DAYS_MAX } from './webhooks.vocabulary.ts';

function countText(count: number): string {
  return count > COUNTED_MAX ? `more than ${formatNumber(COUNTED_MAX)}` : String(count);
}

/** Sentences about webhooks. */
export const webhookMessages = {
  title: 'Webhooks',
  text: 'Tell other software of changes as they happen: a helpdesk, a chat, a data warehouse.',
  reference: 'How to receive them',
  fetchFailed: 'Failed to fetch the webhooks',
  none: 'No webhooks yet',
  nameRequired: 'Give the webhook a name, for example the program that receives it',
  urlInvalid: 'Enter an address that begins with https://',
  urlForbidden:
    'This address is in a private network. The operator of the server can allow it with WEBHOOK_NETWORKS.',
  urlWithPassword: 'Leave user name and password out of the address',
  subjectsRequired: 'Choose what the webhook reports',
  peopleNeedAll:
    'A webhook that reports people needs all buildings, because people belong to the whole organisation',
  tooMany: (most: number) => `At most ${most} webhooks can exist at a time. Remove one first.`,
  create: 'Add Webhook',
  createTitle: 'Add a webhook',
  createFailed: 'Failed to add the webhook',
  subjects: 'Reports changes of',
  inYourName:
    'The webhook reports only what administrators see. It is switched off when you are deactivated or no longer an administrator, or set a new password by a link.',
  secretShownOnce:
    'Copy the signing secret now: it is shown only once. The receiver uses it to check that a message comes from Lintel.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'Nothing more is sent, not even what is waiting. This cannot be undone.',
  removed: 'Webhook removed',
  removeFailed: 'Failed to remove the webhook',
  switchOff: 'Switch Off',
  switchOffTitle: (name: string) => `Switch off ${name}?`,
  switchOffText:
    'Changes made while it is off are not sent, not even later. What is waiting now is sent when it is switched on again.',
  switchedOff: 'Webhook switched off',
  switchOffFailed: 'Failed to switch the webhook off',
  switchOn: 'Switch On',
  switchedOn: 'Webhook switched on',
  switchOnFailed: 'Failed to switch the webhook on',
  gone: 'This webhook has been removed',
  isOff: 'The webhook is off. Switch it on first.',
  off: 'Off',
  failing: 'Failing',
  offReasons: {
    person: 'Switched off by hand',
    gone: 'Switched off because the receiver answered that it no longer exists (410)',
    failing: `Switched off because nothing could be delivered for ${FAILING_DAYS_MAX} days`,
    access_ended: 'Switched off because its owner is no longer an administrator, or has a new password',
    restored: 'Switched off because Lintel was restored from a backup',
  } satisfies Record<WebhookOffReason, string>,
  offAdvice: 'Changes since then were not sent. If you switch it on, you become its owner.',
  waiting: (count: number) => `${countText(count)} waiting`,
  failed: (count: number) => `${countText(count)} failed`,
  lastDelivered: 'Last delivered',
  neverDelivered: 'Nothing delivered yet',
  test: 'Send Test',
  testing: 'Sending...',
  testArrived: 'The test message has arrived',
  testFailed: 'Failed to send a test message',
  deliveries: 'Deliveries',
  deliveriesTitle: (name: string) => `Deliveries to ${name}`,
  deliveriesFailed: 'Failed to fetch the deliveries',
  deliveriesStale: 'This list could not be brought up to date.',
  noDeliveries: 'Nothing to deliver yet',
  more: 'Show Earlier',
  resend: 'Send Again',
  resendAll: 'Send All Failed Again',
  resent: 'It is being sent again',
  resendFailed: 'Failed to send it again',
  notFailed: 'This delivery is already waiting, or is no longer kept',
  nextAttempt: 'Next attempt',
  states: {
    waiting: 'Waiting',
    delivered: 'Delivered',
    failed: 'Failed',
    withheld: 'Withheld',
  } satisfies Record<DeliveryState, string>,
  errors: {
    status: 'The receiver answered with an error',
    timeout: `No answer within ${ANSWER_WITHIN_S} seconds`,
    refused: 'The connection was refused',
    unknown_host: 'The host name is unknown',
    forbidden_address:
      'The address leads into a private network, or is not https. The operator of the server can allow it with WEBHOOK_NETWORKS',
    certificate: 'The certificate of the receiver is not valid',
    connection: 'The connection broke',
  } satisfies Record<DeliveryError, string>,
} as const;
