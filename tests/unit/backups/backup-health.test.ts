import { expect, test } from 'vitest';
import { problemsOf } from '#server/features/backups/backup-health.queries.ts';
import type { BackupRun } from '#shared/features/backups/backups.ts';

const NOW = new Date('2026-11-27T12:00:00Z');
const NONE = { last: undefined, good: undefined };

function run(daysAgo: number, problem: string | null = null, lost = 0): BackupRun {
  const startedAt = new Date(NOW.getTime() - daysAgo * 86_400_000).toISOString();
  const numbers = { rows: 1, files: 1, bytes: 1, lost };
  return {
    id: 1,
    kind: 'backup',
    startedAt,
    endedAt: startedAt,
    backupId: problem === null ? 'b' : null,
    problem,
    isDamaged: false,
    ...numbers,
  };
}
const good = (daysAgo: number) => ({ last: run(daysAgo), good: run(daysAgo) });

test.each([
  ['nothing has run yet', NONE, NONE, []],
  ['all is well', good(0.9), good(6), []],
  ['no backup for days', good(3.5), good(1), ['The last backup is 3 days old.']],
  ['none verified for days', good(0.5), good(10), ['No backup has been verified for 10 days.']],
  [
    'the last attempt failed',
    { last: run(0, 'The repository of the backups is full.'), good: run(1) },
    good(1),
    ['The last backup failed: The repository of the backups is full.'],
  ],
  [
    'both failed',
    { last: run(0, 'Full.'), good: undefined },
    { last: run(0, 'x is damaged.'), good: undefined },
    ['The last backup failed: Full.', 'The last backup could not be restored as a test: x is damaged.'],
  ],
  [
    'a backup by a clock that was a day ahead',
    good(-1),
    good(1),
    ['The last backup is dated in the future, by a clock that was wrong.'],
  ],
  [
    'a backup without files that were lost',
    { last: run(0, null, 2), good: run(0, null, 2) },
    good(1),
    ['The last backup is without 2 files that the server has lost. "npm run admin -- doctor" lists them.'],
  ],
] as const)('%s', (_what, made, verified, problems) => {
  const waiting = { made: undefined, verified: undefined };
  expect(problemsOf({ made, verified, waiting }, NOW)).toEqual(problems);
});

test.each([
  ['just switched on', NONE, 1, []],
  ['switched on for days, and none made', NONE, 3, ['No backup has been made for more than two days.']],
  ['made, and never verified', good(0.5), 9.5, ['No backup has been verified for 9 days.']],
] as const)('without a first run: %s', (_what, made, daysAgo, problems) => {
  const due = run(daysAgo).startedAt;
  expect(problemsOf({ made, verified: NONE, waiting: { made: due, verified: due } }, NOW)).toEqual(problems);
});
