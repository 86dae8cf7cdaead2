import { liveEntityInBuilding } from '../live-entity.ts';
import { issueCommentSchema, issueSchema } from './issues.ts';
import { projectIssue } from './wall.ts';

export const liveEntities = {
  issue: { ...liveEntityInBuilding(issueSchema, 'view_building_issues'), project: projectIssue },
  issueComment: liveEntityInBuilding(issueCommentSchema, 'view_building_issues'),
};
