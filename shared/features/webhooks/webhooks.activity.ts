import { type ActivityWords, wordsAbout } from '../../activity-words.ts';
import { webhookMessages } from './webhook-messages.ts';
import type { liveEntities } from './webhooks.live.ts';

export const activity = {
  entities: { webhook: { one: 'webhook', many: 'webhooks' } },
  commands: {
    ...wordsAbout(['webhook'], {
      'webhooks.create': 'added the webhook',
      'webhooks.switchOn': 'switched on the webhook',
      'webhooks.switchOff': 'switched off the webhook',
      'webhooks.stop': 'switched off the webhook',
      'webhooks.remove': 'removed the webhook',
    }),
    // These commands change no row that has a line.
    'webhooks.test': null,
    'webhooks.resend': null,
  },
  fields: {
    origin: 'Address',
    ownerName: 'Owner',
    offAt: 'Switched off',
    offReason: 'Switched off because',
    removedAt: 'Removed',
  },
  values: { offReason: webhookMessages.offReasons },
  saidElsewhere: { ownerId: 'ownerName', offAt: 'offReason' },
} satisfies ActivityWords<typeof liveEntities>;
