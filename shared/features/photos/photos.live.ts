import { buildingStream, liveEntity, organisationStream } from '../../live-entity.ts';
import { photoSchema } from './photos.ts';
import { PHOTO_PERMISSIONS } from './photos.vocabulary.ts';

export const liveEntities = {
  // Photos of a held record are sent only to people who decide about it, because its recorder may not see the building.
  photo: liveEntity({
    schema: photoSchema,
    audience: ({ buildingId, on }) =>
      buildingId === null
        ? { permission: 'manage_users', buildings: 'org', persons: [] }
        : { permission: PHOTO_PERMISSIONS[on], buildings: [buildingId], persons: [] },
    stream: ({ buildingId }) => (buildingId === null ? organisationStream() : buildingStream(buildingId)),
    // Every role that may see photos has this permission.
    permissionInBuilding: 'view_logbook',
  }),
};
