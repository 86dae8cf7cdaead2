import { type PointerEvent as ReactPointerEvent, useEffect, useLayoutEffect, useRef } from 'react';

type Watch = {
  /** Called at each movement inside. */
  onEnter: () => void;
  /** Called when the mouse has left. Returns false to be called again at the next movement outside. */
  onLeave: () => boolean;
};

/**
 * Watches a mouse enter and leave an element. A `pointerleave` alone is not enough: a browser sends none if the element
 * under the pointer was replaced just before, such as a status that has changed. So movements elsewhere count as well.
 * @returns handlers for the element
 */
export function useMouseWithin(watch: Watch) {
  const latest = useRef(watch);
  useLayoutEffect(() => {
    latest.current = watch;
  });
  const unlisten = useRef<() => void>(undefined);
  useEffect(() => () => unlisten.current?.(), []);

  function enter({ pointerType, currentTarget }: ReactPointerEvent) {
    if (pointerType !== 'mouse') return;
    latest.current.onEnter();
    if (unlisten.current !== undefined) return;
    function onMove({ pointerType, target }: PointerEvent) {
      if (pointerType === 'mouse' && target instanceof Node && !currentTarget.contains(target)) leave();
    }
    document.addEventListener('pointermove', onMove, { passive: true });
    unlisten.current = () => {
      document.removeEventListener('pointermove', onMove);
      unlisten.current = undefined;
    };
  }

  function leave() {
    if (latest.current.onLeave()) unlisten.current?.();
  }

  return {
    onPointerEnter: enter,
    onPointerMove: enter,
    onPointerLeave({ pointerType }: ReactPointerEvent) {
      if (pointerType === 'mouse') leave();
    },
  };
}
