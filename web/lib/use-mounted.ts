import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still mounted, for work that ends after it may have been removed. */
export function useMounted(): RefObject<boolean> {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
