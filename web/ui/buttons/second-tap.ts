import { type RefObject, useEffect, useLayoutEffect } from 'react';

/**
 * The time after a tap, in ms, within which another tap at the same spot may belong to a double tap. A double tap takes
 * up to 300 ms (Android's `ViewConfiguration.getDoubleTapTimeout`); gloves and cold hands take longer.
 */
export const SECOND_TAP_MS = 500;
/**
 * The distance within which two taps of a thumb count as the same spot, in CSS px: the size of the smallest control.
 */
const THUMB_PX = 48;

const CONTROLS = 'button, a, label, input, textarea, select, summary, [role=option]';
/** Groups that take one press at a time: the buttons of one answer, and controls that a second tap would switch back. */
const ONE_ANSWER =
  '[data-one-answer], [aria-haspopup], [aria-expanded], [aria-pressed], [role=switch], summary, label:has([type=checkbox]), [type=checkbox]';
/**
 * Controls that take one tap of a thumb at a time: the same button often does something else after the first tap
 * (Retire and Restore, Remove and its confirmation), or the same once more.
 */
const ONE_TAP = ':is(button, a, label:has([type=file])):not([data-many-taps])';
/** All events of a press: some controls act on the first of them, and a dialog closes on the last. */
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

/** The distance within which two clicks are a double click, in CSS px: the hand moves the mouse a little without intent. */
const MOUSE_PX = 6;

/** The number of record forms on the page; while there are any, second clicks of a mouse are suppressed like second taps. */
let forms = 0;
/** The number of lists in which rows move up when a row leaves; while there are any, a mouse's double clicks are suppressed. */
let lists = 0;
let isListening = false;
/** The running press, and the last press that took effect. */
let press: (Tap & { isEcho: boolean }) | undefined;
let last: Tap | undefined;

/**
 * Suppresses the second tap of a thumb's double tap:
 * - at the same spot on a control other than the first, because that control must have moved or appeared there;
 * - anywhere on an answer that was just given, and on a switch that was just switched;
 * - on the same button or link.
 * Text that is entered after a tap ends the suppression: the next tap is then not the second half of a double tap.
 * A control with `data-many-taps`, such as a stepper, gets every tap. Keys are never suppressed. Clicks of a mouse are
 * suppressed only while the page has a record form (but not on the same button) or a list with `useDoubleClickGuard`.
 * @param sign the event that happened before this code had loaded
 */
export function holdBackSecondTaps(sign?: Event): void {
  if (isListening) return;
  isListening = true;
  if (sign?.type === 'pointerdown') last = tapOf(sign as PointerEvent);
  // Captured on the window, so that it runs before every other listener.
  for (const type of EVENTS) window.addEventListener(type, onEvent, { capture: true, passive: false });
  window.addEventListener('input', onInput, { capture: true });
}

/** Suppresses second taps of every pointer while an element is mounted, and all taps on the element just after it appeared. */
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

/**
 * Suppresses the second click of a double click if another control has moved under the mouse: when a row leaves a list
 * because it is done, the same button of the next row takes its place.
 */
export function useDoubleClickGuard(): void {
  useEffect(() => {
    holdBackSecondTaps();
    lists += 1;
    return () => {
      lists -= 1;
    };
  }, []);
}

function onEvent(event: Event): void {
  if (event.type === 'pointerdown') press = pressOf(event as PointerEvent);
  if (press === undefined) return;
  // A click without a press was caused by a key or a script, or a label passes it on to its field.
  const isClick = event.type === 'click';
  if (isClick && (event as MouseEvent).detail === 0) return;
  if (press.isEcho) {
    if (isClick && event.cancelable) event.preventDefault();
    event.stopImmediatePropagation();
  } else if (isClick) last = { ...press, at: event.timeStamp };
  if (isClick) press = undefined;
}

function onInput(event: Event): void {
  // A checkbox or a select, which taps operate, sends an event of the general type.
  if (event instanceof InputEvent) last = undefined;
}

function pressOf(event: PointerEvent): Tap & { isEcho: boolean } {
  const tap = tapOf(event);
  if (last === undefined || tap.at - last.at >= SECOND_TAP_MS) return { ...tap, isEcho: false };
  if (event.pointerType !== 'mouse' || forms > 0) return { ...tap, isEcho: isEcho(tap, last) };
  return { ...tap, isEcho: lists > 0 && isElsewhere(tap, last, MOUSE_PX) };
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
  if (tap.answer !== null && tap.answer === before.answer) return true;
  return isElsewhere(tap, before, THUMB_PX);
}

/** Whether a tap is at the same spot as the tap before, but on another control. */
function isElsewhere(tap: Tap, before: Tap, nearPx: number): boolean {
  const near = Math.abs(tap.x - before.x) <= nearPx && Math.abs(tap.y - before.y) <= nearPx;
  return near && tap.control !== before.control;
}
