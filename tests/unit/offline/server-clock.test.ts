import { describe, expect, test } from 'vitest';
import { ServerClock } from '#web/lib/time/server-clock.ts';

const HOUR = 3_600_000;
const T = Date.parse('2026-11-18T10:00:00.000Z');

/** A device: the real time, the lead of its clock, and the time that it slept. */
function device(aheadMs = 0) {
  const at = { real: T, ahead: aheadMs, slept: 0, began: T };
  let kept: string | undefined;
  const steady = () => at.real - at.began - at.slept;
  const start = () => {
    at.began = at.real;
    at.slept = 0;
    return new ServerClock(
      { wall: () => at.real + at.ahead, steady },
      {
        read: () => kept,
        write: (text) => {
          kept = text;
        },
      },
    );
  };
  return { at, start };
}

describe('what a device knows of its clock', () => {
  test('is nothing before the first contact', () => {
    expect(device().start().reading()).toBeUndefined();
  });

  test('is by how much it is off, and survives a restart', () => {
    const { at, start } = device(3 * HOUR);
    const clock = start();
    clock.contact(T, clock.start());
    expect(clock.reading()).toEqual({ offsetMs: 3 * HOUR, notBefore: new Date(T).toISOString() });
    at.real += HOUR;
    expect(start().reading()).toEqual({ offsetMs: 3 * HOUR, notBefore: new Date(T).toISOString() });
  });

  test('grows with the page’s own clock, whatever is done to the other one', () => {
    const { at, start } = device();
    const clock = start();
    clock.contact(T, clock.start());
    at.real += HOUR;
    at.ahead = -3 * HOUR;
    // The clock is behind the time that has certainly passed, so it was set back.
    expect(clock.reading()).toEqual({ offsetMs: -3 * HOUR, notBefore: new Date(T + HOUR).toISOString() });
    expect(clock.offBy()).toBe(-3 * HOUR);
    expect(clock.toServer(at.real + at.ahead)).toBe(at.real);
  });

  test('does not take sleep for a clock that went ahead', () => {
    const { at, start } = device();
    const clock = start();
    clock.contact(T, clock.start());
    at.real += 8 * HOUR;
    at.slept = 8 * HOUR;
    expect(clock.reading()).toEqual({ offsetMs: 0, notBefore: new Date(T).toISOString() });
    clock.keep();
    expect(start().offBy()).toBe(0);
  });

  test('finds a clock that was set back while the app was closed', () => {
    const { at, start } = device();
    const first = start();
    first.contact(T, first.start());
    first.keep();
    at.real += HOUR;
    at.ahead = -26 * HOUR;
    expect(start().reading()).toEqual({ offsetMs: -25 * HOUR, notBefore: new Date(T).toISOString() });
  });

  test('comes from no answer that was long on its way, or that the device slept over', () => {
    const { at, start } = device();
    const clock = start();
    const asked = clock.start();
    at.real += HOUR;
    at.slept = HOUR;
    clock.contact(T, asked);
    expect(clock.reading()).toBeUndefined();
  });
});
