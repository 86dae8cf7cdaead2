import { addDays, DAY_MS, DEFAULT_TIME_ZONE, dayOf, MINUTE_MS } from '#shared/dates.ts';
import { TASK_CHECK_VOCABULARY, type TaskCheck } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { markComplete, markNonCompliant, scheduleOccurrence } from '../features/tasks/task-dates.commands.ts';
import { createTask, retireTask } from '../features/tasks/tasks.commands.ts';
import { getTask } from '../features/tasks/tasks.queries.ts';
import type { SignedInContext } from '../kernel/context.ts';

/** A step in the history of a task after it was added, a number of days ago. */
type Step =
  | readonly [daysAgo: number, what: 'complete', missedReason?: string]
  | readonly [daysAgo: number, what: 'certify', validForDays: number]
  | readonly [daysAgo: number, what: 'schedule', inDays: number]
  | readonly [daysAgo: number, what: 'mark' | 'retire', reason: string];

/** Building, system, description, frequency, responsible, days since added, days since last done before that, steps. */
type SampleTask = readonly [
  code: string,
  system: string,
  description: string,
  frequency: string,
  responsible: string,
  addedDaysAgo: number,
  lastDoneDaysAgo: number | null,
  ...steps: Step[],
];

// biome-ignore format: a table, one line a task
export const SAMPLE_TASKS: readonly SampleTask[] = [
  ['HAR', 'Fire Alarm', 'Service by a contractor', 'biannually', 'Brightwell Fire Ltd', 300, 330, [148, 'complete']],
  ['HAR', 'Fire Risk Assessment', 'Review', 'annually', 'Ines Moreau', 300, 359],
  ['HAR', 'Fire Doors', 'Check of communal fire doors', 'quarterly', 'Ines Moreau', 200, 275, [185, 'complete'], [97, 'complete']],
  ['HAR', 'Lifting Equipment', 'LOLER thorough examination', 'P6M/completion', 'Northline Lifts', 280, 290, [110, 'complete']],
  ['HAR', 'Water Hygiene', 'Review of the legionella risk assessment', 'P24M', 'Aquasure', 250, 700],
  ['HAR', 'Water Hygiene', 'Cleaning and descaling of showers', 'quarterly', 'Aquasure', 0, null],
  ['HAR', 'Electrical Installation', 'Condition report (EICR)', 'P60M/stated', 'Volt & Co', 120, null],
  ['HAR', 'Gas Safety', 'Service of commercial gas appliances', 'annually', 'Harlow Heating', 200, 250, [9, 'mark', 'Flue joint leaks. Boiler 2 isolated until it is repaired.']],
  ['HAR', 'Lightning Protection', 'Test and inspection', 'annually', 'Skyline Access', 300, 400, [60, 'retire', 'The mast was taken down.']],
  ['MIL', 'Fire Extinguishers', 'Basic service', 'annually', 'Brightwell Fire Ltd', 300, 361],
  ['MIL', 'Fire Extinguishers', 'Visual inspection', 'monthly', 'Caretaker', 120, 150, [118, 'complete'], [88, 'complete'], [57, 'complete'], [27, 'complete']],
  ['MIL', 'Gutters', 'Clearing of gutters and gullies', 'monthly', 'Caretaker', 100, 110],
  ['MIL', 'Portable Appliances', 'Inspection and test', 'annually', 'Volt & Co', 200, 395, [20, 'schedule', 6]],
  ['MIL', 'Electrical Installation', 'Condition report (EICR)', 'P60M/stated', 'Volt & Co', 320, null, [301, 'certify', 1_820]],
  ['MIL', 'Asbestos', 'Review of the register', 'annually', 'Ines Moreau', 90, 120],
  ['QUA', 'Sprinklers', 'Service', 'annually', 'Brightwell Fire Ltd', 250, 280],
  ['QUA', 'Air Conditioning', 'Inspection (TM44)', 'P60M', 'CoolCheck', 250, 1_400],
  ['QUA', 'Lifting Equipment', 'LOLER thorough examination', 'P6M/completion', 'Northline Lifts', 250, 260, [75, 'complete']],
  ['QUA', 'Site meeting', 'Walk round with the tenants', 'P1M/first-1', 'Building manager', 70, 75, [47, 'complete'], [19, 'complete']],
  ['STG', 'Smoke Control', 'Service', 'annually', 'Brightwell Fire Ltd', 200, 380],
  ['STG', 'Fire Doors', 'Check of flat entrance doors', 'annually', 'Ines Moreau', 200, 210],
  ['STG', 'Access Control', 'Test of the door releases', 'monthly', 'Caretaker', 120, 131, [12, 'complete', 'The releases were being replaced.']],
  ['STG', 'Playground', 'Routine visual inspection', 'weekly', 'Caretaker', 30, 34, [27, 'complete'], [20, 'complete'], [13, 'complete'], [5, 'complete']],
];

/** Tasks that the log of the sample's checks satisfies. */
export const SAMPLE_CHECK_TASKS: readonly (readonly [code: string, system: string, check: TaskCheck])[] = [
  ['HAR', 'Fire Alarm', 'alarm_test'],
  ['HAR', 'Emergency Lighting', 'lighting_function'],
  ['HAR', 'Emergency Lighting', 'lighting_duration'],
  ['HAR', 'Water Hygiene', 'outlet_temperatures'],
  ['HAR', 'Water Hygiene', 'flushing'],
  ['MIL', 'Fire Alarm', 'alarm_test'],
  ['MIL', 'Water Hygiene', 'flushing'],
  ['QUA', 'Fire Alarm', 'alarm_test'],
];

/** A call at a moment, in Unix milliseconds. */
type Happening = { at: number; run(ctx: SignedInContext): Promise<unknown> };

/** The history of a task, from its addition to its present state. */
export function tellTask(task: SampleTask, index: number, now: number, buildingId: string): Happening[] {
  const [, complianceSystem, taskDescription, frequency, responsiblePerson, added, lastDone, ...steps] = task;
  const id = uuidv7(now);
  const moment = (daysAgo: number) => now - daysAgo * DAY_MS - (1 + index) * MINUTE_MS;
  const create = (ctx: SignedInContext) =>
    createTask(ctx, {
      ...{ operationId: uuidv7(), id, buildingId, complianceSystem, taskDescription, frequency },
      ...{ responsiblePerson, responsibleId: null, stated: null, check: null },
      lastDone: lastDone === null ? null : dayOf(moment(lastDone), DEFAULT_TIME_ZONE),
    });
  return [
    { at: moment(added), run: create },
    ...steps.map((step) => ({ at: moment(step[0]), run: (ctx: SignedInContext) => take(ctx, id, step) })),
  ];
}

async function take(ctx: SignedInContext, id: string, step: Step): Promise<void> {
  const { db, clock } = ctx.services;
  const { occurrence, due } = await getTask(db, ctx.actor, id);
  const one = { operationId: uuidv7(), id };
  const day = dayOf(clock.now(), DEFAULT_TIME_ZONE);
  switch (step[1]) {
    case 'complete':
      await markComplete(ctx, {
        ...one,
        occurrence,
        day,
        stated: null,
        notes: '',
        missedReason: step[2] ?? '',
      });
      return;
    case 'certify':
      await markComplete(ctx, {
        ...one,
        occurrence,
        day,
        stated: addDays(day, step[2]),
        notes: '',
        missedReason: '',
      });
      return;
    case 'schedule':
      await scheduleOccurrence(ctx, { ...one, due: { from: due, to: addDays(day, step[0] + step[2]) } });
      return;
    case 'mark':
      await markNonCompliant(ctx, { ...one, reason: step[2] });
      return;
    case 'retire':
      await retireTask(ctx, { ...one, reason: step[2] });
  }
}

/** Adds a task that a check satisfies. Its dates follow from the log. */
export function addCheckTask(
  ctx: SignedInContext,
  buildingId: string,
  { complianceSystem, check }: { complianceSystem: string; check: TaskCheck },
): Promise<unknown> {
  return createTask(ctx, {
    ...{ operationId: uuidv7(), id: uuidv7(), buildingId, complianceSystem, frequency: 'weekly', check },
    taskDescription: TASK_CHECK_VOCABULARY[check].label,
    ...{ responsiblePerson: '', responsibleId: null, lastDone: null, stated: null },
  });
}
