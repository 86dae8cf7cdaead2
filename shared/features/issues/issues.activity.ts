import { type ActivityWords, textIn, wordsAbout } from '../../activity-words.ts';
import type { liveEntities } from './issues.live.ts';
import { ISSUE_PRIORITY_LABELS, ISSUE_STATUS_LABELS, PAUSE_REASON_LABELS } from './issues.vocabulary.ts';

export const activity = {
  entities: {
    issue: { one: 'issue', many: 'issues' },
    issueComment: { one: 'comment', many: 'comments' },
  },
  commands: {
    ...wordsAbout(['issue', 'issueComment'], {
      'issues.create': 'reported issue',
      'issues.update': 'changed issue',
      'issues.acknowledge': 'acknowledged issue',
      'issues.comment': 'commented on',
    }),
  },
  subject(entity, row) {
    if (entity === 'issue') {
      return [textIn(row, 'referenceNumber'), textIn(row, 'title')].filter(Boolean).join(' ');
    }
    return entity === 'issueComment' ? null : undefined;
  },
  fields: {
    assignedToName: 'Assigned to',
    respondDueAt: 'Respond by',
    resolveDueAt: 'Resolve by',
    pauseReason: 'Paused',
    pausedAt: 'Paused since',
    acknowledgedAt: 'Acknowledged',
    acknowledgedByName: 'Acknowledged by',
  },
  saidElsewhere: { assignedTo: 'assignedToName' },
  values: {
    status: ISSUE_STATUS_LABELS,
    priority: ISSUE_PRIORITY_LABELS,
    pauseReason: PAUSE_REASON_LABELS,
  },
} satisfies ActivityWords<typeof liveEntities>;
