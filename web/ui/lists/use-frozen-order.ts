import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMouseWithin } from '../use-mouse-within.ts';

type Held<T> = { value: T; of: string };

/**
 * Freezes the order of a list while a person uses the list, so that nothing moves under the pointer: from when a mouse or
 * the focus enters the list, or something in it is pressed, until the mouse or the focus leaves it, or the person asks
 * for the changes.
 * @param live the present list
 * @param of identifies the list; when it changes (another filter), nothing is frozen
 * @returns `held`: the list as it was when the person entered it; undefined while it is not frozen
 */
export function useFrozenOrder<T>(live: T, of: string) {
  const [held, setHeld] = useState<Held<T>>();
  const latest = useRef(live);
  useLayoutEffect(() => {
    latest.current = live;
  });
  const holding = held !== undefined && held.of === of;
  const root = useRef<HTMLElement | null>(null);
  const list: RefCallback<HTMLElement> = useCallback((element) => {
    root.current = element;
  }, []);

  const hold = () => setHeld((before) => (before?.of === of ? before : { value: latest.current, of }));
  const mouse = useMouseWithin({
    onEnter: hold,
    onLeave() {
      if (root.current !== null && hasOpenMenu(root.current)) return false;
      setHeld(undefined);
      return true;
    },
  });
  const takeIn = () => setHeld({ value: latest.current, of });

  useEffect(() => {
    if (!holding) return;
    function onElsewhere({ target }: Event) {
      const { current } = root;
      if (current === null || !(target instanceof Node) || current.contains(target)) return;
      if (!hasOpenMenu(current)) setHeld(undefined);
    }
    document.addEventListener('focusin', onElsewhere);
    document.addEventListener('pointerdown', onElsewhere, true);
    return () => {
      document.removeEventListener('focusin', onElsewhere);
      document.removeEventListener('pointerdown', onElsewhere, true);
    };
  }, [holding]);

  return {
    held: holding ? held.value : undefined,
    takeIn,
    /** For the element around the list. */
    listProps: {
      ref: list,
      ...mouse,
      onFocus: hold,
      // Some browsers do not focus a button that is tapped.
      onClickCapture: hold,
    },
  };
}

/** A menu is outside the list in the page, but belongs to its row. */
function hasOpenMenu(list: Element): boolean {
  return list.querySelector('[aria-expanded="true"]') !== null;
}
