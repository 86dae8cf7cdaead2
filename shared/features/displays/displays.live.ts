import { liveEntity, organisationStream } from '../../live-entity.ts';
import { displaySchema } from './displays.ts';

export const liveEntities = {
  display: liveEntity({
    schema: displaySchema,
    audience: () => ({ permission: 'manage_users', buildings: 'org', persons: [] }),
    stream: organisationStream,
  }),
};
