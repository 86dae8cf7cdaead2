import type { Clock } from '#server/kernel/server-clock.ts';
import { addDays, dayOf, instantOf } from '#shared/dates.ts';

/** A clock that a test can move. */
export type TestClock = Clock & {
  set(iso: string): void;
  advance(ms: number): void;
};

/**
 * A clock that stands still until a test moves it.
 * @param iso the start; now if absent
 */
export function testClock(iso: string = new Date().toISOString()): TestClock {
  let now = Date.parse(iso);
  return {
    now: () => new Date(now),
    set(to) {
      now = Date.parse(to);
    },
    advance(ms) {
      now += ms;
    },
  };
}

/**
 * The clock of every test of pages in which the day matters. It starts at the last 10:00 in London, and runs on: so
 * midnight never passes during a test, whenever the tests start, and at that hour the day is the same in UTC. A server
 * that gets this clock gives it to the pages that are opened with it, too (`pages.ts`); the test takes every time and day
 * from this clock, and none from `Date`. The clock is never ahead of the real time, because sessions, cookies and uploads
 * use the machine's own clock and the database's.
 */
export function dayClock(): TestClock {
  const today = dayOf(Date.now());
  const starts = [today, addDays(today, -1)].map((day) => instantOf(day, '10:00'));
  let aheadMs = (starts.find((start) => start <= Date.now()) ?? Date.now()) - Date.now();
  return {
    now: () => new Date(Date.now() + aheadMs),
    set(to) {
      aheadMs = Date.parse(to) - Date.now();
    },
    advance(ms) {
      aheadMs += ms;
    },
  };
}
