import { type ActivityWords, isEmptied, textIn, wordsAbout } from '../../activity-words.ts';
import { parseFrequency } from './task-frequency.ts';
import { recurrenceOf } from './task-schedule.ts';
import type { liveEntities } from './tasks.live.ts';
import { formatRecurrence, taskName } from './tasks.vocabulary.ts';

export const activity = {
  entities: { task: { one: 'task', many: 'tasks' } },
  commands: wordsAbout(['task'], {
    'tasks.create': 'added task',
    'tasks.applyTemplates': 'added from the library task',
    'tasks.coverDuty': 'named a duty covered by task',
    'tasks.update': 'changed task',
    'tasks.complete': 'completed task',
    'tasks.correct': 'corrected the completion of task',
    'tasks.schedule': 'scheduled task',
    'tasks.mark': 'marked as non-compliant task',
    'tasks.undo': 'undid a completion of task',
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
  action({ command, entity, op, changes }) {
    if (entity !== 'task' || op !== 'put') return undefined;
    if (command === 'tasks.undo' && isEmptied(changes, 'markedOn')) {
      return 'undid the mark of non-compliance of task';
    }
    if (command.startsWith('checks.')) return 'changed, by a safety check, task';
    return undefined;
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
    duty: 'Covers',
    due: 'Due date',
    coveredUntil: 'Covered until',
    completedOn: 'Last completed',
    completedByName: 'Completed by',
    markedOn: 'Marked on',
    markReason: 'Non-compliant because',
    isDue: 'Due at this site',
    retireReason: 'Retired because',
  },
  value(field, value) {
    const rhythm = field === 'frequency' ? parseFrequency(value) : undefined;
    return rhythm && formatRecurrence(recurrenceOf(rhythm.every, rhythm));
  },
  saidElsewhere: { responsibleId: 'responsiblePerson', retiredAt: 'retireReason' },
} satisfies ActivityWords<typeof liveEntities>;
