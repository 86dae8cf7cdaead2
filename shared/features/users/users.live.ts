import { liveEntity, organisationStream } from '../../live-entity.ts';
import { changedPersonSchema, noticesSchema, sessionsSchema, signInEventSchema } from './users.ts';

export const liveEntities = {
  person: liveEntity({
    schema: changedPersonSchema,
    audience: ({ id }) => ({ permission: 'view_users', buildings: 'org', persons: [id] }),
    stream: organisationStream,
  }),
  session: liveEntity({
    schema: sessionsSchema,
    audience: ({ id }) => ({ permission: 'manage_users', buildings: 'org', persons: [id] }),
    stream: organisationStream,
  }),
  // A sign-in contains an IP address, which only administrators and the person may see.
  signIn: liveEntity({
    schema: signInEventSchema,
    audience: ({ userId }) => ({ permission: 'manage_users', buildings: 'org', persons: [userId] }),
    stream: organisationStream,
  }),
  notice: liveEntity({
    schema: noticesSchema,
    audience: ({ id }) => ({ permission: null, buildings: [], persons: [id] }),
    stream: organisationStream,
  }),
};
