import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * What is typed shows at once, and whoever keeps it hears of it right after that was painted, or when the field is
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
  useEffect(() => flush, [flush]);

  const change = useCallback(
    (text: string) => {
      waiting.current = text;
      setTyped(text);
      // The frame with the text first; a hidden page draws none, and its field has been left.
      requestAnimationFrame(() => setTimeout(flush));
    },
    [flush],
  );
  return { shown: typed ?? value, change, flush };
}
