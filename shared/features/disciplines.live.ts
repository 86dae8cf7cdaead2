import { liveEntity, organisationStream } from '../live-entity.ts';
import { disciplineSchema } from './disciplines.ts';

export const liveEntities = {
  discipline: liveEntity({
    schema: disciplineSchema,
    audience: () => ({ permission: 'manage_building_documents', buildings: 'org', persons: [] }),
    stream: organisationStream,
  }),
};
