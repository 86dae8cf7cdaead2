import { useEffect } from 'react';

// Elements at the foot of the screen, in front of the page: bars with actions, and toasts above them. The page gets the
// same amount of room at its end, so that covered content can be scrolled into sight, and the focused element is always
// in sight (WCAG 2.4.11).

const GAP = 8;
const MARGIN = 16;
type Bar = { height: number; isFixed: boolean };

const bars = new Map<object, Bar>();
const toasts = new Map<object, number>();

function layOut(): void {
  const all = [...bars.values()];
  const bar = Math.max(0, ...all.map(({ height }) => height));
  const fixed = Math.max(0, ...all.map(({ height, isFixed }) => (isFixed ? height : 0)));
  const bottom = bar === 0 ? MARGIN : bar + GAP;
  const stack = [...toasts.values()].reduce((sum, height) => sum + height + GAP, 0);
  set('--toast-bottom', bottom);
  set('--covered', stack > 0 ? bottom + stack : fixed > 0 ? fixed + GAP : 0);
}

function set(name: string, pixels: number): void {
  document.documentElement.style.setProperty(name, `${Math.ceil(pixels)}px`);
}

/** The `ref` of a bar at the foot of the screen that scrolls with the page or sticks to its end. */
export function footBar(element: HTMLElement | null): (() => void) | undefined {
  return element === null ? undefined : watchBar(element, false);
}

/** The `ref` of a bar that covers the page and is not in the flow of the page. */
export function fixedFootBar(element: HTMLElement | null): (() => void) | undefined {
  return element === null ? undefined : watchBar(element, true);
}

/** The `ref` of a toast. */
export function footToast(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  return watchHeight(element, (height) => {
    if (height === undefined) toasts.delete(element);
    else toasts.set(element, height);
  });
}

/**
 * Raises the foot of the screen above the keyboard of a phone, because the keyboard covers elements that are fixed to the
 * window.
 */
export function useKeyboardHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return;
    const measure = () => {
      // While the page is zoomed in, the visible part is smaller because of the zoom, not because of a keyboard.
      const hidden = viewport.scale > 1.01 ? 0 : window.innerHeight - viewport.height - viewport.offsetTop;
      set('--keyboard', Math.max(0, hidden));
    };
    viewport.addEventListener('resize', measure);
    viewport.addEventListener('scroll', measure);
    return () => {
      viewport.removeEventListener('resize', measure);
      viewport.removeEventListener('scroll', measure);
    };
  }, []);
}

function watchBar(element: HTMLElement, isFixed: boolean): () => void {
  return watchHeight(element, (height) => {
    const { position, bottom: offset } = getComputedStyle(element);
    const bottom = Number.parseFloat(offset) || 0;
    // On a short screen the bar scrolls with the page.
    if (height === undefined || position === 'static') bars.delete(element);
    else bars.set(element, { height: height + bottom, isFixed });
  });
}

/** @param tell receives the height, or undefined when the element has been removed */
function watchHeight(element: HTMLElement, tell: (height: number | undefined) => void): () => void {
  const say = (height: number | undefined) => {
    tell(height);
    layOut();
  };
  const watch = new ResizeObserver(() => say(element.offsetHeight));
  watch.observe(element);
  say(element.offsetHeight);
  return () => {
    watch.disconnect();
    say(undefined);
  };
}
