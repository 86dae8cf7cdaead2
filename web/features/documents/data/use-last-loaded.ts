import { useRef } from 'react';
import type { PlaceContents } from './use-place.ts';

/**
 * Keeps the last contents of the same place while new contents load: while a search is typed or the order changes, the old
 * rows stay visible until the new rows have loaded.
 * @param place the name of the place in URLs
 */
export function useLastLoaded(contents: PlaceContents, place: string | null): PlaceContents {
  const last = useRef({ contents, place });
  if (contents.status !== 'loading' || last.current.place !== place) last.current = { contents, place };
  return last.current.contents;
}
