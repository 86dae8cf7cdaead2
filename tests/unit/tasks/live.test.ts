import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { matchesTaskFilter, narrowsTasks } from '#shared/features/tasks/task-filter.ts';
import { summariseTasks } from '#shared/features/tasks/task-schedule.ts';
import type { Task, TaskFilter, TaskOverview } from '#shared/features/tasks/tasks.ts';
import { foldOverview } from '#web/features/tasks/fold-overview.ts';
import type { LiveChange } from '#web/live/types.ts';

const TODAY = '2026-11-22';
const BUILDINGS = ['a', 'b', 'c'];

const base: Task = {
  ...{ id: 'task', taskNumber: 'HAR-T0001', buildingId: 'a', buildingName: 'A' },
  ...{
    complianceSystem: 'Fire Alarm',
    taskDescription: 'Service',
    frequency: 'weekly',
    early: null,
    grace: 'P0D',
  },
  ...{ responsiblePerson: 'Ann', responsibleId: null, check: null, templateId: null },
  ...{ anchor: TODAY, gridDay: TODAY, due: TODAY, coveredUntil: null, completedOn: null, markedOn: null },
  ...{
    isDue: true,
    completedByName: null,
    markReason: null,
    completionId: null,
    markId: null,
    coverage: null,
  },
  ...{ occurrence: 1, createdAt: '', updatedAt: '', retiredAt: null, retireReason: null, version: 1 },
};

describe('the filter', () => {
  const covered = { ...base, coveredUntil: '2026-11-29', due: '2026-12-22', frequency: 'P14M' };
  const overdue = { ...base, due: '2026-11-21' };
  test.for([
    [{}, [true, true, true]],
    [{ status: 'compliant' }, [false, true, false]],
    [{ status: 'non-compliant' }, [true, false, true]],
    [{ range: 'all' }, [true, true, true]],
    [{ range: 'week' }, [true, false, false]],
    [{ range: 'month' }, [true, true, false]],
    [{ range: 'overdue' }, [false, false, true]],
    [{ frequency: 'weekly' }, [true, false, true]],
    [{ frequency: 'other' }, [false, true, false]],
    [{ responsible: 'Ann' }, [true, true, true]],
    [{ responsible: 'An' }, [false, false, false]],
    [{ search: ' fire ALARM – serv' }, [true, true, true]],
    [{ search: 'har-t0001' }, [true, true, true]],
    [{ search: 'boiler' }, [false, false, false]],
  ] as const)('%j', ([filter, expected]) => {
    expect([base, covered, overdue].map((task) => matchesTaskFilter(filter, task, TODAY))).toEqual(expected);
  });
});

describe('the overview', () => {
  /** The overview as the server counts it. */
  function counted(tasks: readonly Task[], filter: TaskFilter = {}): TaskOverview {
    const theirs = (of: readonly string[]) =>
      tasks.filter(
        (task) =>
          of.includes(task.buildingId) &&
          task.retiredAt === null &&
          task.isDue &&
          matchesTaskFilter(filter, task, TODAY),
      );
    const rows = BUILDINGS.map((id) => ({
      buildingId: id,
      buildingName: id.toUpperCase(),
      ...summariseTasks(theirs([id]), TODAY),
      withoutTasks: !tasks.some((task) => task.buildingId === id && task.retiredAt === null),
    })).filter((row) => !narrowsTasks(filter) || row.compliant + row.nonCompliant > 0);
    const buildings = rows.sort(
      (a, b) =>
        b.overdue - a.overdue ||
        b.nonCompliant - a.nonCompliant ||
        Number(a.compliant > 0) - Number(b.compliant > 0) ||
        (a.buildingId < b.buildingId ? -1 : 1),
    );
    return { today: TODAY, changesAt: '', summary: summariseTasks(theirs(BUILDINGS), TODAY), buildings };
  }

  const day = fc.integer({ min: -20, max: 20 }).map((count) => addDays(TODAY, count));
  const states = fc.record({
    due: day,
    coveredUntil: fc.option(day),
    markedOn: fc.option(day, { freq: 4 }),
    retiredAt: fc.option(fc.constant('2026-11-01T00:00:00.000Z'), { freq: 4 }),
    isDue: fc.boolean(),
    responsiblePerson: fc.constantFrom('Ann', 'Bea'),
    frequency: fc.constantFrom('weekly', 'P14M'),
  });
  const filters = fc.constantFrom<TaskFilter>(
    {},
    { status: 'compliant' },
    { status: 'non-compliant', responsible: 'Ann' },
    { range: 'week' },
    { range: 'month', frequency: 'other' },
    { range: 'overdue', search: 'service' },
  );

  test('follows every change as if it were counted anew', () => {
    const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom(...BUILDINGS), states));
    fc.assert(
      fc.property(changes, filters, (made, filter) => {
        const tasks = new Map<number, Task>();
        let overview = counted([], filter);
        for (const [which, building, state] of made) {
          const before = tasks.get(which);
          const buildingId = before?.buildingId ?? building;
          const row: Task = {
            ...{ ...base, id: `task ${which}`, buildingId, buildingName: buildingId.toUpperCase() },
            ...state,
            version: (before?.version ?? 0) + 1,
          };
          tasks.set(which, row);
          // The changes as the server sends them: the fields that differ.
          const told =
            before &&
            Object.keys(state).map((name) => [name, [Reflect.get(before, name), Reflect.get(row, name)]]);
          const event = {
            ...{ op: 'put', entity: 'task', entityId: row.id, version: row.version, row },
            changes: told === undefined ? null : Object.fromEntries(told),
          };
          // The cast: the fold reads nothing else of an event.
          const next = foldOverview(overview, event as LiveChange<'task'>, filter);
          const now = counted([...tasks.values()], filter);
          if (next === 'refetch') {
            // Only if all counts of a building are zero, because it may still have tasks that are not due.
            const figures = now.buildings.find((each) => each.buildingId === buildingId);
            expect(figures).toMatchObject({ compliant: 0, nonCompliant: 0 });
          } else expect(next).toEqual(now);
          overview = now;
        }
      }),
    );
  });

  test('renames a building, and is read again when one leaves', () => {
    const overview = counted([base]);
    const place = (archivedAt: string | null) =>
      ({
        ...{ op: 'put', entity: 'place', entityId: 'a', version: 2, changes: {} },
        row: { id: 'a', name: 'Quay House', clientName: '', isHealthcare: false, archivedAt, version: 2 },
      }) as LiveChange<'place'>;
    const renamed = foldOverview(overview, place(null), {});
    expect(renamed).toMatchObject({ buildings: [{ buildingName: 'Quay House' }, {}, {}] });
    expect(foldOverview(overview, place('2026-11-22T00:00:00.000Z'), {})).toBe('refetch');
    const none = { ...overview, buildings: [] };
    // With a filter, a building without matching tasks has no row.
    expect(foldOverview(none, place(null), { range: 'week' })).toEqual(none);
    expect(foldOverview(none, place(null), {})).toBe('refetch');
  });
});
