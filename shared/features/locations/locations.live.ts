import { buildingStream, liveEntity, organisationStream } from '../../live-entity.ts';
import { projectPlace } from '../displays/wall.ts';
import { buildingSchema, buildingSummarySchema, clientSchema } from './locations.ts';

export const liveEntities = {
  // A client belongs to no building, so only people who see all buildings receive it. Others know a client by the name
  // that its buildings carry.
  client: liveEntity({
    schema: clientSchema,
    audience: () => ({ permission: 'view_locations', buildings: [], persons: [] }),
    stream: organisationStream,
  }),
  building: liveEntity({
    schema: buildingSchema,
    audience: ({ id }) => ({ permission: 'view_locations', buildings: [id], persons: [] }),
    stream: ({ id }) => buildingStream(id),
  }),
  // Pickers use it, so it goes to everyone with access to the building, whatever the role.
  place: liveEntity({
    schema: buildingSummarySchema,
    audience: ({ id }) => ({ permission: 'view_dashboard', buildings: [id], persons: [] }),
    stream: ({ id }) => buildingStream(id),
    project: projectPlace,
  }),
};
