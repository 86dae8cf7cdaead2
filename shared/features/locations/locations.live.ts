import { buildingStream, liveEntity, organisationStream } from '../../live-entity.ts';
import { projectPlace } from '../displays/wall.ts';
import { buildingSchema, buildingSummarySchema, clientSchema } from './locations.ts';

export const liveEntities = {
  // A client belongs to no building, so only people who see all buildings receive it. Other people receive the client's
  // name with each of its buildings.
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
  // Pickers need it, so everyone with access to the building receives it, whatever their role.
  place: liveEntity({
    schema: buildingSummarySchema,
    audience: ({ id }) => ({ permission: 'view_dashboard', buildings: [id], persons: [] }),
    stream: ({ id }) => buildingStream(id),
    project: projectPlace,
  }),
};
