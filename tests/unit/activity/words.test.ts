import { describe, expect, test } from 'vitest';
import type { CommandWords } from '#shared/activity-words.ts';
import {
  actionLabel,
  COMMAND_WORDS,
  describeChanges,
} from '#shared/features/activity/activity.vocabulary.ts';
import type { Changes } from '#shared/live/live.ts';
import { type CommandPath, PROCEDURES } from '#tests/support/server/procedures.ts';

// Does not compile if a command has neither words nor null, which means that it needs none.
const WORDS: Readonly<Record<CommandPath, CommandWords | null>> = COMMAND_WORDS;

/** Commands that are no procedure: those of the operator, files, identity providers and finished uploads. */
const OTHERS = /^(admin|imports|provider)\.|^(documents\.store|webhooks\.stop)$/;

describe('the words of commands', () => {
  test('are those of commands that exist', () => {
    const commands = PROCEDURES.filter(({ type }) => type === 'mutation').map(({ path }) => path);
    const worded = Object.keys(WORDS).filter((command) => !OTHERS.test(command));
    expect(worded.sort()).toEqual(commands.sort());
  });

  test.each(Object.entries(WORDS).flatMap(([command, said]) => (said === null ? [] : [{ command, said }])))(
    '$command is said of its own rows, and of no other',
    ({ command, said }) => {
      const ids = { entityId: 'a', actorId: 'b' };
      const entry = { command, op: 'put', changes: null, count: null, ...ids };
      for (const entity of said.about) expect(actionLabel({ ...entry, entity })).toBe(said.words);
      expect(actionLabel({ ...entry, entity: 'discipline' })).toBe('added discipline');
    },
  );
});

describe('the words of compliance tasks', () => {
  const entry = { entity: 'task', entityId: 'a', actorId: 'b', op: 'put', count: null } as const;

  test('tell what was undone, and that a check changed a task', () => {
    const undone = (changes: Changes) => actionLabel({ ...entry, command: 'tasks.undo', changes });
    expect(undone({ markedOn: ['2026-11-20', null] })).toBe('undid the mark of non-compliance of task');
    expect(undone({ completedOn: ['2026-11-20', '2026-11-13'] })).toBe('undid a completion of task');
    expect(actionLabel({ ...entry, command: 'checks.amend', changes: {} })).toBe(
      'changed, by a safety check, task',
    );
  });

  test('name a frequency as the screen does, and leave that of an asset', () => {
    const of = (from: string, to: string) =>
      describeChanges({ changes: { frequency: [from, to] } }, {}).map((change) => [change.from, change.to]);
    expect(of('weekly', 'P6M/completion')).toEqual([['Weekly', 'Every 6 months from completion']]);
    expect(of('P1M/first-1', 'P60M/stated')).toEqual([
      ['First Monday of the month', 'As the certificate states'],
    ]);
    expect(of('annual', 'weekly')[0]?.[0]).toBe(of('annual', 'monthly')[0]?.[0]);
  });
});
