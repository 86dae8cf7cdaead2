import { afterEach, describe, expect, test } from 'vitest';
import { createServerClock, type ServerClock } from '#server/kernel/server-clock.ts';
import { DAY_MS, HOUR_MS } from '#shared/dates.ts';
import { STEADY_MS, type TestSources, testSources } from '#tests/support/server/clock-sources.ts';

const START = '2026-03-28T12:00:00.000Z';
const BEAT_MS = 5_000;
const TEN_DAYS = 10 * DAY_MS;

let clock: ServerClock;
let sources: TestSources;
let logged: string[];

/** Starts a clock; the test makes its beats. */
async function begin(given: TestSources = testSources(START)): Promise<void> {
  sources = given;
  logged = [];
  const line = (_figures: unknown, text?: string) => void logged.push(text ?? String(_figures));
  clock = createServerClock(sources, { error: line, warn: line }, { beatMs: DAY_MS });
  await clock.start();
}
afterEach(() => clock.stop());

/** Lets time pass on all clocks, with the beats of that time. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= BEAT_MS) {
    sources.pass(Math.min(left, BEAT_MS));
    await clock.beat();
  }
}
const passed = () => clock.now().getTime() - Date.parse(START);
const doubt = () => clock.health.doubt();

const BEGUN = 'the clock is in doubt: timed jobs wait';
const ENDED = 'the clock is in doubt no longer: timed jobs run again';

describe('the clock of a server', () => {
  test('is the database’s at the last beat, and goes on between beats', async () => {
    const apart = testSources(START);
    apart.set({ machine: -40_000 });
    await begin(apart);
    expect(passed()).toBe(0);
    sources.pass(1_234);
    expect(passed()).toBe(1_234);
    // A clock that differs by less than a minute is followed at once, and does not put the time in doubt.
    sources.set({ database: 300 });
    await pass(BEAT_MS);
    expect([passed(), doubt()]).toEqual([1_234 + BEAT_MS + 300, undefined]);
  });

  test('goes on while the database does not answer', async () => {
    await begin();
    sources.isAway = true;
    await pass(HOUR_MS);
    expect([passed(), doubt(), logged]).toEqual([HOUR_MS, undefined, []]);
  });

  test('is not moved by an answer that comes late', async () => {
    await begin();
    sources.answerMs = 90_000;
    sources.set({ database: 30_000 });
    await clock.beat();
    expect([passed(), doubt()]).toEqual([90_000, undefined]);
  });

  test('needs the database to start', async () => {
    const away = testSources(START);
    away.isAway = true;
    await expect(begin(away)).rejects.toThrow('no database');
  });
});

describe('a clock that is set', () => {
  test.each([
    [
      'machine and database',
      { machine: TEN_DAYS, database: TEN_DAYS },
      /machine's is 864000 s ahead, .*database's is 864000 s ahead/,
    ],
    ['the machine', { machine: TEN_DAYS }, /^the machine's is 864000 s ahead$/],
    ['the database', { database: TEN_DAYS }, /^the database's is 864000 s ahead$/],
    ['the machine, backwards', { machine: -61_000 }, /^the machine's is 61 s behind$/],
  ])(
    'does not move it, and is in doubt until it is set back: %s',
    async (_which, ahead: { machine?: number; database?: number }, said) => {
      await begin();
      sources.set(ahead);
      await pass(20_000);
      expect(passed()).toBe(20_000);
      expect(doubt()).toMatch(said);
      sources.set({ machine: -(ahead.machine ?? 0), database: -(ahead.database ?? 0) });
      await pass(BEAT_MS);
      expect([passed(), doubt()]).toEqual([20_000 + BEAT_MS, undefined]);
      // Logged once at the beginning and once at the end, not at each beat.
      expect(logged).toEqual([BEGUN, ENDED]);
    },
  );

  test('is in doubt from the start on where machine and database differ, by the database’s time', async () => {
    const apart = testSources(START);
    apart.set({ machine: 61_000 });
    await begin(apart);
    expect([passed(), doubt(), logged]).toEqual([0, "the machine's is 61 s ahead", [BEGUN]]);
    await pass(2 * STEADY_MS);
    expect([passed(), doubt()]).toEqual([2 * STEADY_MS, "the machine's is 61 s ahead"]);
  });

  test('is believed when machine and database have shown the same new time for an hour', async () => {
    await begin();
    sources.set({ machine: TEN_DAYS, database: TEN_DAYS });
    await pass(STEADY_MS);
    expect(passed()).toBe(STEADY_MS);
    await pass(BEAT_MS);
    expect([passed(), doubt()]).toEqual([STEADY_MS + BEAT_MS + TEN_DAYS, undefined]);
    expect(logged[1]).toContain('the clock was set');
    expect(clock.health.isSettled()).toBe(true);
  });

  test('is not believed where the two show different times, or one that was set again meanwhile', async () => {
    await begin();
    sources.set({ machine: TEN_DAYS, database: 2 * TEN_DAYS });
    await pass(2 * STEADY_MS);
    expect(passed()).toBe(2 * STEADY_MS);
    sources.set({ machine: TEN_DAYS });
    await pass(STEADY_MS / 2);
    sources.set({ machine: 90_000, database: 90_000 });
    await pass(STEADY_MS - BEAT_MS);
    expect(passed()).toBe(3.5 * STEADY_MS - BEAT_MS);
    expect(doubt()).toBeDefined();
  });
});

test('time that the machine slept has passed, though its monotonic clock stood still', async () => {
  await begin();
  await pass(BEAT_MS);
  sources.sleep(8 * HOUR_MS);
  await clock.beat();
  expect([passed(), doubt(), logged]).toEqual([8 * HOUR_MS + BEAT_MS, undefined, []]);
});

test('time that no clock of the machine has counted is taken from machine and database after an hour', async () => {
  await begin();
  // A virtual machine was paused from outside, and its clock set afterwards.
  sources.set({ machine: 8 * HOUR_MS, database: 8 * HOUR_MS });
  await pass(STEADY_MS + 2 * BEAT_MS);
  expect([passed(), doubt()]).toEqual([9 * HOUR_MS + 2 * BEAT_MS, undefined]);
});

test('a last run in the future is a doubt until the clocks have agreed for an hour', async () => {
  await begin();
  const seen = () => clock.health.sawLastRun(new Date(Date.parse(START) + TEN_DAYS));
  seen();
  seen();
  expect([doubt(), logged]).toEqual(['a timed job ran last in the future', [BEGUN]]);
  await pass(STEADY_MS - BEAT_MS);
  seen();
  expect(doubt()).toBeDefined();
  await pass(BEAT_MS);
  expect([doubt(), logged]).toEqual([undefined, [BEGUN, ENDED]]);
  // If the clock is set in the meantime, the hour begins again.
  sources.set({ machine: 61_000 });
  await pass(BEAT_MS);
  sources.set({ machine: -61_000 });
  await pass(BEAT_MS);
  expect([doubt(), clock.health.isSettled()]).toEqual(['a timed job ran last in the future', false]);
});

test('monitoring is told by how much the clocks differ', async () => {
  await begin();
  expect(clock.health.figures()).toEqual({
    clock_in_doubt: 0,
    clock_machine_ahead_seconds: 0,
    clock_database_ahead_seconds: 0,
  });
  sources.set({ machine: TEN_DAYS, database: TEN_DAYS });
  await clock.beat();
  expect(clock.health.figures()).toEqual({
    clock_in_doubt: 1,
    clock_machine_ahead_seconds: 864_000,
    clock_database_ahead_seconds: 864_000,
  });
});
