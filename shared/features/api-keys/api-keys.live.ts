import { liveEntity, organisationStream } from '../../live-entity.ts';
import { apiKeySchema } from './api-keys.ts';

export const liveEntities = {
  apiKey: liveEntity({
    schema: apiKeySchema,
    audience: () => ({ permission: 'manage_users', buildings: 'org', persons: [] }),
    stream: organisationStream,
  }),
};
