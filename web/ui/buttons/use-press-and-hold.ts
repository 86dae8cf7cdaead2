import { useEffect, useRef } from 'react';

const FIRST_MS = 450;
const NEXT_MS = 90;

/** The handlers of a button that acts once when pressed, and repeatedly while it is held. */
export function usePressAndHold(act: () => void): {
  onClick: () => void;
  onPointerDown: () => void;
  onPointerUp: () => void;
  onPointerLeave: () => void;
  onPointerCancel: () => void;
} {
  const latest = useRef(act);
  latest.current = act;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const repeated = useRef(false);

  function stop() {
    clearTimeout(timer.current);
  }
  function again() {
    repeated.current = true;
    latest.current();
    timer.current = setTimeout(again, NEXT_MS);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onClick: () => {
      // The click that ends a hold does not act again.
      if (!repeated.current) latest.current();
      repeated.current = false;
    },
    onPointerDown: () => {
      repeated.current = false;
      stop();
      timer.current = setTimeout(again, FIRST_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
  };
}
