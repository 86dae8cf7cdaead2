import { useRef } from 'react';
import type { PlaceContents } from './use-place.ts';

/**
 * Keeps the last contents of the same place while new ones load: at each letter of a search, and in another order, the
 * rows stay until the next ones are there.
 * @param place the name of the place in addresses
 */
export function useLastLoaded(contents: PlaceContents, place: string | null): PlaceContents {
  const last = useRef({ contents, place });
  if (contents.status !== 'loading' || last.current.place !== place) last.current = { contents, place };
  return last.current.contents;
}
