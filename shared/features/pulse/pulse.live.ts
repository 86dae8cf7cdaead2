import { liveEntityInBuilding } from '../../live-entity.ts';
import { projectPulse } from '../displays/wall.ts';
import { buildingPulseSchema, withoutIssues } from './pulse.ts';

/** The figures of the dashboards. Everyone who has a dashboard receives the figures of their buildings; figures of
 * issues are sent only to people who may see issues (ruling A16). */
export const liveEntities = {
  buildingPulse: {
    ...liveEntityInBuilding(buildingPulseSchema, 'view_dashboard'),
    project: projectPulse,
    withhold: { without: 'view_building_issues' as const, show: withoutIssues },
  },
};
