import { expect, test } from 'vitest';
import { backupsToKeep } from '#server/features/backups/retention.ts';
import { DAY_MS } from '#shared/dates.ts';

const NEWEST = Date.parse('2026-11-27T03:00:00.000Z');
const dated = (ms: number) => ({ id: new Date(ms).toISOString(), at: new Date(ms).toISOString() });

test('of a backup each night for two years, seven days, four weeks and twelve months are kept', () => {
  const all = Array.from({ length: 730 }, (_, n) => dated(NEWEST - n * DAY_MS));
  const kept = [...backupsToKeep(all)].map((id) => id.slice(0, 10)).sort();
  expect(kept).toEqual([
    ...['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ...['2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-08', '2026-11-15'],
    ...['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'],
  ]);
});

test('a machine that was off for a month loses none of its last seven', () => {
  const before = Array.from({ length: 7 }, (_, n) => dated(NEWEST - (30 + n) * DAY_MS));
  const kept = backupsToKeep([...before, dated(NEWEST)]);
  expect(before.slice(0, 6).every(({ id }) => kept.has(id))).toBe(true);
});

test('of several on one day the newest is kept, in any order of the list', () => {
  const day = [1, 3, 2].map((hour) => dated(Date.parse(`2026-11-27T0${hour}:00:00.000Z`)));
  expect([...backupsToKeep(day)]).toEqual(['2026-11-27T03:00:00.000Z']);
});
