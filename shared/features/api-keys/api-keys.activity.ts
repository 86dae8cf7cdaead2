import { type ActivityWords, wordsAbout } from '../../activity-words.ts';
import type { liveEntities } from './api-keys.live.ts';

export const activity = {
  entities: { apiKey: { one: 'API key', many: 'API keys' } },
  commands: {
    ...wordsAbout(['apiKey'], {
      'apiKeys.create': 'created the API key',
      'apiKeys.revoke': 'revoked the API key',
    }),
  },
  fields: { revokedAt: 'Revoked' },
} satisfies ActivityWords<typeof liveEntities>;
