import { liveEntityInBuilding } from '../../live-entity.ts';
import { projectPulse } from '../displays/wall.ts';
import { buildingPulseSchema, withoutIssues } from './pulse.ts';

/** The figures of the dashboards, so everyone who has a dashboard receives those of their buildings; figures of
 * issues only those who may see issues (ruling A16). */
export const liveEntities = {
  buildingPulse: {
    ...liveEntityInBuilding(buildingPulseSchema, 'view_dashboard'),
    project: projectPulse,
    withhold: { without: 'view_building_issues' as const, show: withoutIssues },
  },
};
