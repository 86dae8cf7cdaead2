import { liveEntityInBuilding } from '../live-entity.ts';
import { issueCommentSchema, issueSchema } from './issues.ts';

export const liveEntities = {
  issue: liveEntityInBuilding(issueSchema, 'view_building_issues'),
  issueComment: liveEntityInBuilding(issueCommentSchema, 'view_building_issues'),
};
