import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdBackSecondTaps } from '#web/ui/buttons/second-tap.ts';

// The taps that count as the second half of a double tap. `tests/screens/app/double-taps.spec.ts` tests the effect on the
// screens.

/** A control: each of its selectors finds it. */
class Control {
  closest() {
    return this;
  }
}
type Tap = { on: Control; at: number; x?: number; pointerType?: 'touch' | 'mouse' };

/** As the browser's, for text that is entered. */
class TextEntered {
  readonly type = 'input';
}

/** The module listens once; its listeners are the same for all tests. */
const onEvent = startListening();
let earlier = 0;

beforeEach(() => {
  vi.stubGlobal('Element', Control);
  vi.stubGlobal('InputEvent', TextEntered);
  // Later than all taps of the previous test.
  earlier += 1_000_000;
});
afterEach(() => vi.unstubAllGlobals());

function startListening() {
  const listeners = new Map<string, (event: { type: string }) => void>();
  vi.stubGlobal('window', {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  });
  holdBackSecondTaps();
  vi.unstubAllGlobals();
  return (event: { type: string }) => listeners.get(event.type)?.(event);
}

/** @returns whether a tap takes effect; it is pressed and released at its time */
function takesEffect({ on, at, x = 0, pointerType = 'touch' }: Tap): boolean {
  const stopped = ['pointerdown', 'pointerup', 'click'].map((type) => {
    const stop = vi.fn();
    onEvent({
      ...{ type, target: on, timeStamp: earlier + at, clientX: x, clientY: 0, pointerType, detail: 1 },
      ...{ cancelable: true, preventDefault: () => undefined, stopImmediatePropagation: stop },
    });
    return stop.mock.calls.length > 0;
  });
  // Either all events of a tap are stopped, or none.
  expect(new Set(stopped).size).toBe(1);
  return !stopped.includes(true);
}

describe('a second tap', () => {
  const button = new Control();
  const appeared = new Control();

  test.each([
    [0, false],
    [120, false],
    [250, false],
    [400, false],
    [499, false],
    [500, true],
  ])('%i ms later takes effect: %s, on the same button and on what has appeared there', (at, does) => {
    for (const second of [button, appeared]) {
      earlier += 10_000;
      expect(takesEffect({ on: button, at: 0 })).toBe(true);
      expect(takesEffect({ on: second, at })).toBe(does);
    }
  });

  test.each([
    [48, false],
    [-48, false],
    [49, true],
    [-49, true],
  ])('%i px away takes effect: %s, on another control; on the same button never', (x, does) => {
    for (const [second, expected] of [
      [appeared, does],
      [button, false],
    ] as const) {
      earlier += 10_000;
      expect(takesEffect({ on: button, at: 0 })).toBe(true);
      expect(takesEffect({ on: second, at: 250, x })).toBe(expected);
    }
  });

  test('is measured from the last one that took effect, so a thumb that goes on tapping is heard again', () => {
    expect([0, 200, 400, 600, 800].map((at) => takesEffect({ on: button, at }))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test('takes effect once text was entered after the first, but not if a checkbox or a select was changed', () => {
    for (const [event, expected] of [
      [new TextEntered(), true],
      [{ type: 'input' }, false],
    ] as const) {
      earlier += 10_000;
      expect(takesEffect({ on: button, at: 0 })).toBe(true);
      onEvent(event);
      expect(takesEffect({ on: appeared, at: 250 })).toBe(expected);
    }
  });

  test('of a mouse takes effect where there is no form and no list', () => {
    const click = (on: Control, at: number) => takesEffect({ on, at, pointerType: 'mouse' });
    expect([click(button, 0), click(button, 100), click(appeared, 200)]).toEqual([true, true, true]);
  });
});
