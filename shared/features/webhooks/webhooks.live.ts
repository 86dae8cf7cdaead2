import { liveEntity, organisationStream } from '../../live-entity.ts';
import { webhookSchema } from './webhooks.ts';

export const liveEntities = {
  webhook: liveEntity({
    schema: webhookSchema,
    audience: () => ({ permission: 'manage_users', buildings: 'org', persons: [] }),
    stream: organisationStream,
  }),
};
