import { useLayoutEffect } from 'react';
import type { Scroller } from './use-item-keys.ts';

/** Gives the keys the way to draw a row that is out of sight. */
export function useScroller(scroller: Scroller, scrollTo: (index: number) => void): void {
  useLayoutEffect(() => {
    scroller.current = scrollTo;
    return () => {
      scroller.current = null;
    };
  });
}
