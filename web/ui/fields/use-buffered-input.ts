import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The longest wait for a key's release, in ms: not every phone keyboard reports the release. */
const HELD_AT_MOST_MS = 150;

/**
 * Buffers typed text: the text is shown at once, and is passed on after it was painted and the key was released, or when
 * the field is left. On a slow phone a key press must not wait until a whole form is rendered again.
 * @returns the text to show, and the handlers for a change, a key going down or up, and leaving the field
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
  // Runs after the frame with the text. A hidden page draws no frames, but then its field has been left already.
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
    // The page may be closed while text waits.
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [leave]);
  return { shown: typed ?? value, change, keyDown, keyUp, leave };
}
