import { liveEntityInBuilding } from '../../live-entity.ts';
import { projectIssue } from '../displays/wall.ts';
import { issueCommentSchema, issueSchema } from './issues.ts';

export const liveEntities = {
  issue: { ...liveEntityInBuilding(issueSchema, 'view_building_issues'), project: projectIssue },
  issueComment: liveEntityInBuilding(issueCommentSchema, 'view_building_issues'),
};
