import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '#shared/features/tasks/tasks.ts';
import type { TaskGroup } from '#web/features/tasks/list/arrange-tasks.ts';
import { holdTasks } from '#web/features/tasks/list/hold-tasks.ts';
import { countMoves } from '#web/lib/count-moves.ts';

test('the changes of an order are the fewest moves that lead from one to the other', () => {
  expect(countMoves(['a', 'b', 'c'], ['a', 'b', 'c'])).toBe(0);
  expect(countMoves(['a', 'b', 'c'], ['b', 'c', 'a'])).toBe(1);
  expect(countMoves(['a', 'b', 'c'], ['c', 'b', 'a'])).toBe(2);
  expect(countMoves(['a', 'b'], ['b', 'c'])).toBe(2);
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.nat(), fc.nat(), (ids, from, to) => {
      const moved = [...ids];
      const [one] = moved.splice(from % (ids.length || 1), 1);
      if (one !== undefined) moved.splice(to % ids.length, 0, one);
      expect(countMoves(ids, moved)).toBeLessThanOrEqual(1);
    }),
  );
});

describe('the tasks under a pointer', () => {
  // The cast: the rows have the fields that are read.
  const task = (id: string, part: Partial<Task> = {}) =>
    ({
      id,
      due: '2026-11-20',
      retiredAt: null,
      updatedAt: '2026-11-20T09:00:00Z',
      version: 1,
      ...part,
    }) as Task;
  const [a, b, c] = [task('a'), task('b'), task('c')];
  const group = (name: string, ...tasks: Task[]): TaskGroup => ({ group: name, tasks });
  const listOf = (...tasks: Task[]) => new Map(tasks.map((each) => [each.id, each]));
  const order = (groups: readonly TaskGroup[]) =>
    groups.map(({ group: name, tasks }) => [name, ...tasks.map(({ id }) => id)].join(' '));

  test('keep their places with their newest content, and what waits is counted', () => {
    const done = task('a', { due: '2026-11-27', version: 2 });
    const { groups, changes } = holdTasks(
      [group('Fire', a, b), group('Water', c)],
      [group('Fire', b, done), group('Water', c)],
      listOf(b, done, c),
    );
    expect(order(groups)).toEqual(['Fire a b', 'Water c']);
    expect(groups[0]?.tasks[0]).toBe(done);
    expect(changes).toBe(1);
  });

  test('keep the row that a filter no longer lets through, and not a new one', () => {
    const done = task('a', { version: 2 });
    const { groups, changes } = holdTasks(
      [group('Fire', a, b)],
      [group('Fire', b), group('Water', c)],
      listOf(done, b, c),
    );
    expect(order(groups)).toEqual(['Fire a b']);
    expect(changes).toBe(2);
  });

  test('show one as retired that has left the list, and as in use one that has left the list of the retired', () => {
    const restored = task('b', { retiredAt: '2026-11-01T09:00:00Z' });
    const { groups } = holdTasks([group('Fire', a, restored)], [], new Map());
    expect(groups[0]?.tasks.map(({ retiredAt }) => retiredAt)).toEqual([a.updatedAt, null]);
  });

  test('a task that goes to another group is one change', () => {
    const renamed = task('b', { version: 2 });
    const { groups, changes } = holdTasks(
      [group('Fire', a, b), group('Water', c)],
      [group('Fire', a), group('Water', c, renamed)],
      listOf(a, renamed, c),
    );
    expect(order(groups)).toEqual(['Fire a b', 'Water c']);
    expect(changes).toBe(1);
  });
});
