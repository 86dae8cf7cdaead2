import { uuidv7 } from '#shared/ids.ts';
import { EVERYWHERE_OK, type ExpectationsOf, type Ids, operationId } from './row.ts';

const operation = () => ({ operationId: operationId() });
const one = ({ taskId }: Ids) => ({ id: taskId });
const reasoned = ({ taskId }: Ids) => ({ ...operation(), id: taskId, reason: 'From the sweep' });
const DAY = '2026-01-05';

export const tasks: ExpectationsOf<'tasks'> = {
  'tasks.list': {
    kind: 'query',
    needs: 'view_tasks',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'tasks.overview': {
    kind: 'query',
    needs: 'view_tasks',
    input: () => undefined,
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'tasks.get': { kind: 'query', needs: 'view_tasks', input: one },
  'tasks.record': { kind: 'query', needs: 'view_tasks', input: one },
  'tasks.history': { kind: 'query', needs: 'view_tasks', input: one },
  'tasks.responsible': {
    kind: 'query',
    needs: 'view_tasks',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'tasks.nextNumber': {
    kind: 'query',
    needs: 'create_tasks',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'tasks.templates': {
    kind: 'query',
    needs: 'create_tasks',
    input: ({ buildingId }) => ({ buildingId }),
  },
  'tasks.templatePreview': {
    kind: 'query',
    needs: 'create_tasks',
    input: ({ buildingId }) => ({ buildingId, templateIds: ['legionella-review', 'flushing'] }),
  },
  'tasks.create': {
    kind: 'mutation',
    needs: 'create_tasks',
    input: ({ buildingId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId,
      complianceSystem: 'Sweep',
      taskDescription: 'From the sweep',
      frequency: 'weekly',
    }),
  },
  'tasks.applyTemplates': {
    kind: 'mutation',
    needs: 'create_tasks',
    input: ({ buildingId }) => ({ ...operation(), buildingId, templateIds: ['legionella-review'] }),
  },
  'tasks.update': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ taskId }) => ({
      ...operation(),
      id: taskId,
      changes: { responsiblePerson: { from: '', to: '' } },
    }),
  },
  'tasks.complete': {
    kind: 'mutation',
    needs: 'edit_tasks',
    // The day on which the task was last done, so that every caller gets the same answer.
    input: ({ taskId }) => ({ ...operation(), id: taskId, occurrence: 1, day: DAY }),
  },
  'tasks.correct': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ taskId }) => ({ ...operation(), id: taskId, occurrence: 1, day: DAY }),
  },
  'tasks.schedule': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ taskId }) => ({
      ...operation(),
      id: taskId,
      due: { from: '2026-01-12', to: '2026-01-12' },
    }),
  },
  'tasks.mark': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ markedTaskId }) => ({ ...operation(), id: markedTaskId, reason: 'From the sweep' }),
  },
  'tasks.undo': {
    kind: 'mutation',
    needs: 'edit_tasks',
    // The id of no line of the task.
    input: (ids) => ({ ...reasoned(ids), lineId: uuidv7() }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
  },
  'tasks.coverDuty': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ taskId }) => ({ ...operation(), id: taskId, templateId: 'eicr-commercial' }),
  },
  'tasks.retire': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ retiredTaskId }) => ({ ...operation(), id: retiredTaskId, reason: 'From the sweep' }),
  },
  'tasks.restore': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ taskId }) => ({ ...operation(), id: taskId }),
  },
  'tasks.reassign': {
    kind: 'mutation',
    needs: 'edit_tasks',
    input: ({ taskId }) => ({ ...operation(), ids: [taskId], responsiblePerson: '' }),
  },
  'tasks.reschedule': {
    kind: 'mutation',
    needs: 'edit_tasks',
    // A day that is over.
    input: ({ taskId }) => ({ ...operation(), tasks: [{ id: taskId, occurrence: 1 }], due: '2026-01-12' }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
  },
  'tasks.retireAll': {
    kind: 'mutation',
    needs: 'edit_tasks',
    // Retired already, so that the other procedures find their task in use.
    input: ({ retiredTaskId }) => ({ ...operation(), ids: [retiredTaskId], reason: 'From the sweep' }),
    outcome: 'not_found',
  },
};
