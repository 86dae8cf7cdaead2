import { useRef } from 'react';

/** Returns the previous object as long as the value is equal to it. */
export function useStable<T>(value: T): T {
  const held = useRef(value);
  if (JSON.stringify(held.current) !== JSON.stringify(value)) held.current = value;
  return held.current;
}
