import { issueComments } from './comments.live.ts';
import { issueHistory } from './issue-history.live.ts';
import { issueCounts, issueList, oneIssue } from './issues.live.ts';

export const liveQueries = [issueComments, issueHistory, issueCounts, issueList, oneIssue] as const;
