import { createContext, useReducer } from 'react';

/**
 * Called by the photo fields of a form with +1 for each photo that they begin to scale down, and -1 when it is done.
 */
export const PhotosInProgressContext = createContext<(by: number) => void>(() => undefined);

/** Counts the photos of a form still being scaled down. A form submitted in the meantime would be sent without them. */
export function usePhotosInProgress() {
  return useReducer((count: number, by: number) => count + by, 0);
}
