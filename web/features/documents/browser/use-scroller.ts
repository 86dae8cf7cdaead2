import { useLayoutEffect } from 'react';
import type { Scroller } from './use-item-keys.ts';

/** Gives the key handler a function that scrolls to a row that is not visible, so that the row is rendered. */
export function useScroller(scroller: Scroller, scrollTo: (index: number) => void): void {
  useLayoutEffect(() => {
    scroller.current = scrollTo;
    return () => {
      scroller.current = null;
    };
  });
}
