import { issueComments } from './details/comments.live.ts';
import { issueHistory } from './details/issue-history.live.ts';
import { issueCounts, issueList, oneIssue } from './issues.live.ts';

export const liveQueries = [issueComments, issueHistory, issueCounts, issueList, oneIssue] as const;
