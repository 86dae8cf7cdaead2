import {
  type PointerEvent as ReactPointerEvent,
  type RefCallback,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

type Held<T> = { value: T; of: string };

/**
 * Holds a list in its order while a person is in it, so that nothing moves under the pointer: from when a mouse or the
 * focus enters it, or something in it is pressed, until the mouse or the focus leaves it, or the person asks for the changes.
 * @param live what the list is now
 * @param of what it is a list of; where that changes (another filter), nothing is held
 * @returns `held`: the list as it was when the person came to it; undefined while it is not held
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
  const isMouseIn = useRef(false);
  const holdForMouse = ({ pointerType }: ReactPointerEvent) => {
    if (pointerType !== 'mouse') return;
    isMouseIn.current = true;
    hold();
  };
  const takeIn = () => setHeld({ value: latest.current, of });

  useEffect(() => {
    if (!holding) return;
    function onElsewhere({ target }: Event) {
      const { current } = root;
      if (current === null || !(target instanceof Node) || current.contains(target)) return;
      if (!hasOpenMenu(current)) setHeld(undefined);
    }
    // A browser sends no `pointerleave` if what lay under the pointer was replaced just before, such as a status.
    function onMove(event: PointerEvent) {
      if (event.pointerType === 'mouse' && isMouseIn.current) onElsewhere(event);
    }
    document.addEventListener('focusin', onElsewhere);
    document.addEventListener('pointerdown', onElsewhere, true);
    document.addEventListener('pointermove', onMove, { passive: true });
    return () => {
      isMouseIn.current = false;
      document.removeEventListener('focusin', onElsewhere);
      document.removeEventListener('pointerdown', onElsewhere, true);
      document.removeEventListener('pointermove', onMove);
    };
  }, [holding]);

  return {
    held: holding ? held.value : undefined,
    takeIn,
    /** For the element around the list. */
    listProps: {
      ref: list,
      onPointerEnter: holdForMouse,
      onPointerMove: holdForMouse,
      onPointerLeave: ({ pointerType, currentTarget }: ReactPointerEvent) => {
        if (pointerType === 'mouse' && !hasOpenMenu(currentTarget)) setHeld(undefined);
      },
      onFocus: hold,
      // Some browsers do not focus a button that is tapped.
      onClickCapture: hold,
    },
  };
}

/** A menu lies outside the list, but belongs to its row. */
function hasOpenMenu(list: Element): boolean {
  return list.querySelector('[aria-expanded="true"]') !== null;
}
