import type { Clock } from '#server/kernel/context.ts';
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
 * The clock of every test of pages in which a day counts. It begins at the last ten in the morning, in London, and runs
 * on, so no midnight comes between a test and what the product says, whenever the tests are started; and at that hour it
 * is the same day in UTC. Given to a server, it is also the clock of the pages that are opened with that server
 * (`pages.ts`); the test takes every moment and day from it, and none from `Date`. Sessions, cookies and uploads keep to
 * the server's own clock and the database's, which it is therefore never ahead of.
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
