import { liveEntity, organisationStream } from '../../live-entity.ts';
import { disciplineSchema } from './disciplines.ts';

export const liveEntities = {
  discipline: liveEntity({
    schema: disciplineSchema,
    audience: () => ({ permission: 'view_logbook', buildings: 'org', persons: [] }),
    stream: organisationStream,
  }),
};
