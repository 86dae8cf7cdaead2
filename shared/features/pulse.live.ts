import { liveEntityInBuilding } from '../live-entity.ts';
import { buildingPulseSchema } from './pulse.ts';
import { projectPulse } from './wall.ts';

/** The figures of the dashboards, so everyone who has a dashboard receives those of their buildings. */
export const liveEntities = {
  buildingPulse: {
    ...liveEntityInBuilding(buildingPulseSchema, 'view_dashboard'),
    project: projectPulse,
  },
};
