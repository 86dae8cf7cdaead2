import { describe, expect, test } from 'vitest';
import type { CommandWords } from '#shared/activity-words.ts';
import { actionLabel, COMMAND_WORDS } from '#shared/features/activity.vocabulary.ts';
import { type CommandPath, PROCEDURES } from '#tests/support/procedures.ts';

// A command without words, or without saying that it needs none, does not compile.
const WORDS: Readonly<Record<CommandPath, CommandWords | null>> = COMMAND_WORDS;

/** Commands that are no procedure: the operator's, and those of files. */
const OTHERS = /^(admin|imports)\./;

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
