import { describe, expect, test } from 'vitest';
import { recurrenceOf } from '#shared/features/tasks/task-schedule.ts';
import {
  formatRecurrence,
  formatTaskNumber,
  groupTasks,
  taskName,
} from '#shared/features/tasks/tasks.vocabulary.ts';

describe('the words of tasks', () => {
  test('tasks are grouped by the first word of their names, whatever its case', () => {
    const named = ['Fire Alarm weekly', 'fire doors', 'L8 flushing', ''];
    const groups = groupTasks(named, (name) => name).map(({ group, tasks }) => [group, tasks.length]);
    expect(groups).toEqual([
      ['Fire', 2],
      ['L8', 1],
      ['General', 1],
    ]);
    const [lower] = groupTasks(['fire doors', ' Fire Alarm'], (name) => name);
    expect(lower?.group).toBe('Fire');
  });

  test('a name begins with the system', () => {
    expect(taskName({ complianceSystem: 'Fire Alarm', taskDescription: 'Service' })).toBe(
      'Fire Alarm – Service',
    );
    expect(taskName({ complianceSystem: '', taskDescription: '' })).toBe('');
  });

  test('numbers count per building', () => {
    expect(formatTaskNumber('HAR', 1)).toBe('HAR-T0001');
    expect(formatTaskNumber('HAR', 12_345)).toBe('HAR-T12345');
  });

  test.for([
    [recurrenceOf('biannually'), 'Biannually'],
    [recurrenceOf({ count: 14, unit: 'month' }), 'Every 14 months'],
    [recurrenceOf({ count: 1, unit: 'day' }), 'Every day'],
    [recurrenceOf('monthly', { on: { nth: 1, weekday: 1 } }), 'First Monday of the month'],
    [recurrenceOf('quarterly', { on: { nth: 'last', weekday: 5 } }), 'Last Friday, every 3 months'],
    [recurrenceOf('biannually', { basis: 'completion' }), 'Every 6 months from completion'],
    [recurrenceOf('annually', { basis: 'stated' }), 'As the certificate states'],
  ] as const)('a recurrence in words: %j is "%s"', ([recurrence, words]) => {
    expect(formatRecurrence(recurrence)).toBe(words);
  });
});
