import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How long a finger is down on a key, in ms: what it started is painted before anything else begins. */
const KEY_MS = 50;

/**
 * What is typed shows at once, and whoever keeps it hears of it a moment after that was painted, or when the field is
 * left: on a slow phone a key press must not wait for a whole form to be drawn again.
 */
export function useEcho(value: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState<string>();
  const waiting = useRef<string>(undefined);
  const tell = useRef(onChange);
  useLayoutEffect(() => {
    tell.current = onChange;
  });

  const flush = useCallback(() => {
    const text = waiting.current;
    if (text === undefined) return;
    waiting.current = undefined;
    setTyped(undefined);
    tell.current(text);
  }, []);
  useEffect(() => {
    // The page may end before the moment is over.
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  const change = useCallback(
    (text: string) => {
      waiting.current = text;
      setTyped(text);
      // The frame with the text first; a hidden page draws none, and its field has been left.
      requestAnimationFrame(() => setTimeout(flush, KEY_MS));
    },
    [flush],
  );
  return { shown: typed ?? value, change, flush };
}
