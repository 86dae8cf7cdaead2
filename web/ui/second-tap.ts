import { type RefObject, useEffect, useLayoutEffect } from 'react';

/**
 * How long after a tap, in ms, another one at the same spot may be its echo. A double tap takes up to 300 ms
 * (Android's `ViewConfiguration.getDoubleTapTimeout`); gloves and cold hands take longer.
 */
export const SECOND_TAP_MS = 500;
/** How far apart two taps of one thumb land, in CSS px: the size of the smallest thing that it is asked to hit. */
const THUMB_PX = 48;

const CONTROLS = 'button, a, label, input, textarea, select, summary, [role=option]';
/** What takes one press at a time: all buttons of one answer, and what an echo would close or switch back again. */
const ONE_ANSWER =
  '[data-one-answer], [aria-haspopup], [aria-expanded], [aria-pressed], [role=switch], summary, label:has([type=checkbox]), [type=checkbox]';
/**
 * What takes one tap of a thumb at a time besides: the same button often does something else by then (Retire and
 * Restore, Remove and the question whether to), or the same thing once more.
 */
const ONE_TAP = ':is(button, a, label:has([type=file])):not([data-many-taps])';
/** All that a press is told by; some controls act on its beginning, and a dialog closes on its end. */
const EVENTS = [
  'pointerdown',
  'touchstart',
  'mousedown',
  'pointerup',
  'touchend',
  'mouseup',
  'click',
] as const;

type Tap = { at: number; x: number; y: number; control: Element | null; answer: Element | null };

/** Forms on the page now, which hold back the second half of a double click as well. */
let forms = 0;
let isListening = false;
/** The press that is under way, and the last one that acted. */
let press: (Tap & { isEcho: boolean }) | undefined;
let last: Tap | undefined;

/**
 * Keeps the second half of a thumb's double tap from acting:
 * - at the same spot on another control than the first one, which only something that moved or appeared can have put there;
 * - anywhere on an answer that has just been given, and on a switch that has just been switched;
 * - on the same button or link.
 * A control with `data-many-taps`, such as a stepper, hears every tap. Keys are never held back; a mouse only while a
 * record form is on the page, and there not on the same button.
 * @param sign what the page has heard before this was here
 */
export function holdBackSecondTaps(sign?: Event): void {
  if (isListening) return;
  isListening = true;
  if (sign?.type === 'pointerdown') last = tapOf(sign as PointerEvent);
  // Before everything else that listens, wherever it does.
  for (const type of EVENTS) window.addEventListener(type, onEvent, { capture: true, passive: false });
}

/** The same for every pointer while an element is on the page, and for every spot of it when it has just appeared. */
export function useSecondTapGuard(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    element.style.pointerEvents = 'none';
    const timer = setTimeout(() => element.style.removeProperty('pointer-events'), SECOND_TAP_MS);
    return () => clearTimeout(timer);
  }, [root]);

  useEffect(() => {
    holdBackSecondTaps();
    forms += 1;
    return () => {
      forms -= 1;
    };
  }, []);
}

function onEvent(event: Event): void {
  if (event.type === 'pointerdown') press = pressOf(event as PointerEvent);
  if (press === undefined) return;
  // Without a press of its own it is a key's, a script's, or what a label passes on to its field.
  const isClick = event.type === 'click';
  if (isClick && (event as MouseEvent).detail === 0) return;
  if (press.isEcho) {
    if (isClick && event.cancelable) event.preventDefault();
    event.stopImmediatePropagation();
  } else if (isClick) last = { ...press, at: event.timeStamp };
  if (isClick) press = undefined;
}

function pressOf(event: PointerEvent): Tap & { isEcho: boolean } {
  const tap = tapOf(event);
  const isHeard = event.pointerType !== 'mouse' || forms > 0;
  return { ...tap, isEcho: isHeard && last !== undefined && isEcho(tap, last) };
}

function tapOf({ target, timeStamp, clientX, clientY, pointerType }: PointerEvent): Tap {
  const pressed = target instanceof Element ? target : null;
  const oneTap = pointerType === 'mouse' ? null : pressed?.closest(ONE_TAP);
  return {
    at: timeStamp,
    x: clientX,
    y: clientY,
    control: pressed?.closest(CONTROLS) ?? null,
    answer: pressed?.closest(ONE_ANSWER) ?? oneTap ?? null,
  };
}

function isEcho(tap: Tap, before: Tap): boolean {
  if (tap.at - before.at >= SECOND_TAP_MS) return false;
  if (tap.answer !== null && tap.answer === before.answer) return true;
  const near = Math.abs(tap.x - before.x) <= THUMB_PX && Math.abs(tap.y - before.y) <= THUMB_PX;
  return near && tap.control !== before.control;
}
