import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** In ms. Not every keyboard of a phone says that a key has gone up, and what was typed must not wait for it. */
const HELD_AT_MOST_MS = 150;

/**
 * What is typed shows at once, and whoever keeps it hears of it right after that was painted and the finger has left
 * the key, or when the field is left: on a slow phone a key press must not wait for a whole form to be drawn again.
 * @returns the text to show, and what the field calls when its text changes, a key goes down or up, and it is left
 */
export function useBufferedInput(value: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const waiting = useRef<string>(undefined);
  const held = useRef(false);
  const release = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useRef(onChange);
  useLayoutEffect(() => {
    tell.current = onChange;
  });

  const flush = useCallback(() => {
    const text = waiting.current;
    if (text === undefined || held.current) return;
    waiting.current = undefined;
    setTyped(undefined);
    tell.current(text);
  }, []);
  // The frame with the text first; a hidden page draws none, and its field has been left.
  const flushSoon = useCallback(() => requestAnimationFrame(() => setTimeout(flush)), [flush]);

  const keyDown = useCallback(() => {
    held.current = true;
  }, []);
  const keyUp = useCallback(() => {
    held.current = false;
    if (waiting.current !== undefined) flushSoon();
  }, [flushSoon]);
  const leave = useCallback(() => {
    clearTimeout(release.current);
    held.current = false;
    flush();
  }, [flush]);
  const change = useCallback(
    (text: string) => {
      waiting.current = text;
      setTyped(text);
      clearTimeout(release.current);
      if (held.current) release.current = setTimeout(leave, HELD_AT_MOST_MS);
      else flushSoon();
    },
    [flushSoon, leave],
  );

  useEffect(() => {
    // The page may end in the middle of it.
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [leave]);
  return { shown: typed ?? value, change, keyDown, keyUp, leave };
}
