import { type RefObject, useEffect, useLayoutEffect } from 'react';

/**
 * How long after a tap, in ms, another one at the same spot may be its echo. A double tap takes up to 300 ms
 * (Android's `ViewConfiguration.getDoubleTapTimeout`); gloves and cold hands take longer.
 */
export const SECOND_TAP_MS = 500;
/** How far apart two taps of one thumb land, in CSS px: the size of the smallest thing that it is asked to hit. */
const THUMB_PX = 48;

const CONTROLS = 'button, a, label, input, textarea, select, summary, [role=option]';
/** What takes one tap at a time: all buttons of one answer, and what opens a list, which an echo would close again. */
const ONE_ANSWER = '[data-one-answer], [aria-haspopup]';

type Tap = {
  press: number;
  at: number;
  x: number;
  y: number;
  control: Element | null;
  answer: Element | null;
};

/**
 * Keeps the second half of a double tap from acting while an element is on the page:
 * - just after the element appeared, where a tap was meant for what stood there before;
 * - at the same spot on another control than the first one, which only something that moved can have put there;
 * - anywhere on an answer that has just been given.
 * A control that is to be pressed often, such as a stepper, hears every tap. Keys are never held back.
 */
export function useSecondTapGuard(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    element.style.pointerEvents = 'none';
    const timer = setTimeout(() => element.style.removeProperty('pointer-events'), SECOND_TAP_MS);
    return () => clearTimeout(timer);
  }, [root]);

  useEffect(() => {
    let press = 0;
    let pressed: Element | null = null;
    let last: Tap | undefined;

    function onPointerDown(event: PointerEvent) {
      press += 1;
      pressed = event.target instanceof Element ? event.target : null;
    }
    function onClick(event: MouseEvent) {
      // Without a press of its own it is a key's, a script's, or what a label passes on to its field.
      if (event.detail === 0 || pressed === null || press === last?.press) return;
      const tap: Tap = {
        press,
        at: event.timeStamp,
        x: event.clientX,
        y: event.clientY,
        control: pressed.closest(CONTROLS),
        answer: pressed.closest(ONE_ANSWER),
      };
      if (last === undefined || !isEcho(tap, last)) last = tap;
      else {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    }
    document.addEventListener('pointerdown', onPointerDown, true);
    document.addEventListener('click', onClick, true);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true);
      document.removeEventListener('click', onClick, true);
    };
  }, []);
}

function isEcho(tap: Tap, before: Tap): boolean {
  if (tap.at - before.at >= SECOND_TAP_MS) return false;
  if (tap.answer !== null && tap.answer === before.answer) return true;
  const near = Math.abs(tap.x - before.x) <= THUMB_PX && Math.abs(tap.y - before.y) <= THUMB_PX;
  return near && tap.control !== before.control;
}
