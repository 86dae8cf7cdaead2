import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '#shared/dates.ts';
import { readRecord, type TaskLine } from '#shared/features/tasks/task-record.ts';
import { recurrenceOf, statusOn } from '#shared/features/tasks/task-schedule.ts';

const created: TaskLine = {
  id: 'made',
  kind: 'created',
  day: '2026-11-20',
  recurrence: recurrenceOf('weekly'),
  lastDone: null,
  stated: null,
};
const done = (id: string, day: string): TaskLine => ({ id, kind: 'completed', day, stated: null });
const undo = (of: string): TaskLine => ({ id: `undo ${of}`, kind: 'undone', of });
const marked = (id: string, day: string): TaskLine => ({ id, kind: 'marked', day });
const datesOf = (...lines: TaskLine[]) => readRecord([created, ...lines]).dates;

describe('the record of a task', () => {
  test('begins with its creation', () => {
    expect(() => readRecord([done('a', '2026-11-20')])).toThrow('begins with its creation');
  });

  test('undoing a completion brings back what was before it, with what came after', () => {
    const before = datesOf(done('a', '2026-11-20'));
    expect(datesOf(done('a', '2026-11-20'), done('b', '2026-11-27'), undo('b'))).toEqual(before);
    expect(datesOf(done('a', '2026-11-20'), undo('a'))).toEqual(datesOf());
  });

  test('undoing a mark makes the task compliant again, and undoing a completion brings its mark back', () => {
    const { dates } = readRecord([created, done('a', '2026-11-20'), marked('m', '2026-11-22'), undo('m')]);
    expect(statusOn(dates, '2026-11-22')).toBe('compliant');
    const state = readRecord([created, marked('m', '2026-11-22'), done('a', '2026-11-22'), undo('a')]);
    expect(state.dates.markedOn).toBe('2026-11-22');
    expect(state.mark).toBe('m');
  });

  test('a completion that is dated before the mark is history only, and never the one to undo', () => {
    const state = readRecord([created, marked('m', '2026-11-22'), done('late', '2026-11-21')]);
    expect(state).toMatchObject({ completion: null, mark: 'm', dates: { coveredUntil: null } });
  });

  test('a corrected completion is reckoned by its corrected day, until the correction is undone', () => {
    const correction: TaskLine = { id: 'c', kind: 'corrected', of: 'a', day: '2026-11-16' };
    expect(datesOf(done('a', '2026-11-20'), correction)).toMatchObject({
      completedOn: '2026-11-16',
      anchor: '2026-11-16',
      due: '2026-11-23',
    });
    expect(datesOf(done('a', '2026-11-20'), correction, undo('c')).due).toBe('2026-11-27');
  });

  test('Schedule moves the occurrence that was seen, and none that another completion brings', () => {
    const moved: TaskLine = { id: 's', kind: 'scheduled', gridDay: '2026-11-27', due: '2026-11-30' };
    expect(datesOf(done('a', '2026-11-20'), moved)).toMatchObject({
      due: '2026-11-30',
      gridDay: '2026-11-27',
    });
    expect(datesOf(done('a', '2026-11-20'), moved, undo('a')).due).toBe('2026-11-20');
  });

  test('a last-done date that came with the task can be corrected and undone like a completion', () => {
    const old: TaskLine = { ...created, lastDone: '2026-11-10' };
    expect(readRecord([old])).toMatchObject({ completion: 'made', dates: { due: '2026-11-17' } });
    const corrected: TaskLine = { id: 'c', kind: 'corrected', of: 'made', day: '2026-11-12' };
    expect(readRecord([old, corrected]).dates.due).toBe('2026-11-19');
    expect(readRecord([old, undo('made')]).dates).toMatchObject({ due: '2026-11-20', completedOn: null });
  });

  test('a changed frequency counts from then on, and for what is undone after it', () => {
    const changed: TaskLine = { id: 'f', kind: 'changed', recurrence: recurrenceOf('monthly') };
    expect(datesOf(done('a', '2026-11-20'), changed)).toMatchObject({ due: '2026-12-20' });
    expect(datesOf(done('a', '2026-11-20'), changed, undo('a'))).toMatchObject({ due: '2026-11-20' });
  });

  test('undoing every line in any order leaves the task as it was made', () => {
    const lines = fc.array(
      fc.tuple(fc.constantFrom('completed', 'marked'), fc.integer({ min: 0, max: 60 })),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(lines, fc.infiniteStream(fc.nat()), (kinds, order) => {
        const recorded = kinds.map(([kind, after], at): TaskLine => {
          const day = addDays('2026-11-20', after);
          return kind === 'completed' ? done(`${at}`, day) : marked(`${at}`, day);
        });
        const undone = recorded
          .map(({ id }) => ({ id, by: order.next().value }))
          .sort((a, b) => a.by - b.by)
          .map(({ id }) => undo(id));
        expect(datesOf(...recorded, ...undone)).toEqual(datesOf());
      }),
    );
  });
});
