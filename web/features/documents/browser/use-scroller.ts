import { useLayoutEffect } from 'react';
import type { Scroller } from './use-item-keys.ts';

/** Gives the key handler a function that scrolls to a row out of sight, so that it is drawn. */
export function useScroller(scroller: Scroller, scrollTo: (index: number) => void): void {
  useLayoutEffect(() => {
    scroller.current = scrollTo;
    return () => {
      scroller.current = null;
    };
  });
}
