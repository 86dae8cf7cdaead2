import { type ActivityWords, textIn, wordsAbout } from '../activity-words.ts';
import type { liveEntities } from './tasks.live.ts';
import { taskName } from './tasks.vocabulary.ts';

export const activity = {
  entities: { task: { one: 'task', many: 'tasks' } },
  commands: wordsAbout(['task'], {
    'tasks.create': 'added task',
    'tasks.applyTemplates': 'added from the library task',
    'tasks.update': 'changed task',
    'tasks.complete': 'completed task',
    'tasks.correct': 'corrected the completion of task',
    'tasks.schedule': 'scheduled task',
    'tasks.mark': 'marked as non-compliant task',
    'tasks.undo': 'undid a line of task',
    'tasks.retire': 'retired task',
    'tasks.restore': 'restored task',
    'tasks.reassign': 'reassigned task',
    'tasks.reschedule': 'rescheduled task',
    'tasks.retireAll': 'retired task',
  }),
  bulk: {
    'tasks.reassign': 'reassigned',
    'tasks.reschedule': 'rescheduled',
    'tasks.retireAll': 'retired',
    'tasks.lapse': 'saw the lapse of',
  },
  subject(entity, row) {
    if (entity !== 'task') return undefined;
    const complianceSystem = textIn(row, 'complianceSystem') ?? '';
    const taskDescription = textIn(row, 'taskDescription') ?? '';
    return [textIn(row, 'taskNumber'), taskName({ complianceSystem, taskDescription })]
      .filter(Boolean)
      .join(' ');
  },
  fields: {
    due: 'Due date',
    coveredUntil: 'Covered until',
    completedOn: 'Last completed',
    completedByName: 'Completed by',
    markedOn: 'Marked on',
    markReason: 'Non-compliant because',
    isDue: 'Due at this site',
    retireReason: 'Retired because',
  },
  saidElsewhere: { responsibleId: 'responsiblePerson', retiredAt: 'retireReason' },
} satisfies ActivityWords<typeof liveEntities>;
