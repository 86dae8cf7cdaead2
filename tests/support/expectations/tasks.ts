import { addDays } from '#shared/dates.ts';
import { OFFERED_TEMPLATES } from '#shared/features/tasks/task-templates.ts';
import { TASK_SELECTION_MAX } from '#shared/features/tasks/tasks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { part, sameRow, textOf } from './largest.ts';
import { EVERYWHERE_OK, type ExpectationsOf, type Ids, operation } from './row.ts';

const one = ({ taskId }: Ids) => ({ id: taskId });
const reasoned = ({ taskId }: Ids) => ({ ...operation(), id: taskId, reason: 'From the sweep' });
const DAY = '2026-01-05';

const TEMPLATES = OFFERED_TEMPLATES.slice(0, 100).map(({ id }) => id);

export const tasks: ExpectationsOf<'tasks'> = {
  'tasks.list': {
    kind: 'query',
    needs: 'view_tasks',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId, retired: true }),
  },
  'tasks.overview': {
    kind: 'query',
    needs: 'view_tasks',
    input: () => undefined,
    outcome: EVERYWHERE_OK,
    adminOutcome: EVERYWHERE_OK,
  },
  'tasks.get': { kind: 'query', needs: 'view_tasks', input: one, largest: ({ taskId }) => ({ id: taskId }) },
  'tasks.record': {
    kind: 'query',
    needs: 'view_tasks',
    input: one,
    largest: ({ taskId }) => ({ id: taskId }),
  },
  'tasks.history': {
    kind: 'query',
    needs: 'view_tasks',
    input: one,
    largest: ({ taskId }) => ({ id: taskId }),
  },
  'tasks.responsible': {
    kind: 'query',
    needs: 'view_tasks',
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'tasks.nextNumber': {
    kind: 'query',
    needs: 'create_tasks',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'tasks.templates': {
    kind: 'query',
    needs: 'create_tasks',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({ buildingId }),
    largest: ({ siteId }) => ({ buildingId: siteId }),
  },
  'tasks.templatePreview': {
    kind: 'query',
    needs: 'create_tasks',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({ buildingId, templateIds: ['legionella-review', 'flushing'] }),
    largest: ({ siteId }) => ({ buildingId: siteId, templateIds: TEMPLATES }),
  },
  'tasks.create': {
    kind: 'mutation',
    needs: 'create_tasks',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId,
      complianceSystem: 'Sweep',
      taskDescription: 'From the sweep',
      frequency: 'weekly',
    }),
    largest: ({ siteId }) => ({
      ...operation(),
      id: uuidv7(),
      buildingId: siteId,
      complianceSystem: 'Fire Alarm',
      taskDescription: textOf(2_000),
      frequency: 'weekly',
    }),
  },
  'tasks.applyTemplates': {
    kind: 'mutation',
    needs: 'create_tasks',
    declares: { provenByCommand: true },
    input: ({ buildingId }) => ({ ...operation(), buildingId, templateIds: ['legionella-review'] }),
    largest: ({ buildings }, n) => ({
      ...operation(),
      buildingId: buildings.at(-20 - n),
      templateIds: TEMPLATES,
    }),
  },
  'tasks.update': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ taskId }) => ({
      ...operation(),
      id: taskId,
      changes: { responsiblePerson: { from: '', to: '' } },
    }),
    largest: ({ taskId }, n) => ({
      ...operation(),
      id: taskId,
      changes: {
        frequency: n % 2 === 0 ? { from: 'monthly', to: 'weekly' } : { from: 'weekly', to: 'monthly' },
      },
    }),
  },
  'tasks.complete': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    // The day on which the task was last done, so that every caller gets the same answer.
    input: ({ taskId }) => ({ ...operation(), id: taskId, occurrence: 1, day: DAY }),
    largest: ({ taskId, today }) => ({ ...operation(), id: taskId, occurrence: 1, day: today }),
  },
  'tasks.correct': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ taskId }) => ({ ...operation(), id: taskId, occurrence: 1, day: DAY }),
    largest: ({ taskId, today }) => ({ ...operation(), id: taskId, occurrence: 1, day: today }),
  },
  'tasks.schedule': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ taskId }) => ({
      ...operation(),
      id: taskId,
      due: { from: '2026-01-12', to: '2026-01-12' },
    }),
    largest: ({ taskId, taskDue, today }) => ({
      ...operation(),
      id: taskId,
      due: { from: taskDue, to: addDays(today, 10) },
    }),
  },
  'tasks.mark': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ markedTaskId }) => ({ ...operation(), id: markedTaskId, reason: 'From the sweep' }),
    largest: ({ taskId }) => ({ ...operation(), id: taskId, reason: textOf(500) }),
  },
  'tasks.undo': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    // An id that is not of a line of the task.
    input: (ids) => ({ ...reasoned(ids), lineId: uuidv7() }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
    largest: ({ taskId }) => ({ ...operation(), id: taskId, lineId: uuidv7(), reason: textOf(500) }),
  },
  'tasks.coverDuty': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ taskId }) => ({ ...operation(), id: taskId, templateId: 'eicr-commercial' }),
  },
  'tasks.retire': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ retiredTaskId }) => ({ ...operation(), id: retiredTaskId, reason: 'From the sweep' }),
    largest: ({ taskId }) => ({ ...operation(), id: taskId, reason: textOf(500) }),
  },
  'tasks.restore': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ taskId }) => ({ ...operation(), id: taskId }),
    largest: sameRow(({ taskId }) => taskId),
  },
  'tasks.reassign': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    input: ({ taskId }) => ({ ...operation(), ids: [taskId], responsiblePerson: '' }),
    largest: ({ tasks }, n) => ({
      ...operation(),
      ids: tasks.slice(0, TASK_SELECTION_MAX),
      responsiblePerson: `Contractor ${n}`,
    }),
  },
  'tasks.reschedule': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    // A day in the past.
    input: ({ taskId }) => ({ ...operation(), tasks: [{ id: taskId, occurrence: 1 }], due: '2026-01-12' }),
    outcome: { own: 'invalid' },
    adminOutcome: { own: 'invalid', other: 'invalid' },
    largest: ({ tasks, today }, n) => ({
      ...operation(),
      tasks: tasks.slice(0, TASK_SELECTION_MAX).map((id) => ({ id, occurrence: 1 + n })),
      due: addDays(today, 20 + n),
    }),
  },
  'tasks.retireAll': {
    kind: 'mutation',
    needs: 'edit_tasks',
    declares: { provenByCommand: true },
    // This task is retired already, so the task that the other procedures need stays in use.
    input: ({ retiredTaskId }) => ({ ...operation(), ids: [retiredTaskId], reason: 'From the sweep' }),
    outcome: 'not_found',
    largest: ({ tasks }, n) => ({
      ...operation(),
      ids: part(tasks.slice(TASK_SELECTION_MAX), 80, n),
      reason: textOf(500),
    }),
  },
};
