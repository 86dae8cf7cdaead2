import type { Clock } from '#server/kernel/context.ts';

/** A clock that stands still until a test moves it. */
export type TestClock = Clock & {
  set(iso: string): void;
  advance(ms: number): void;
};

/** @param iso the start; now if absent */
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
