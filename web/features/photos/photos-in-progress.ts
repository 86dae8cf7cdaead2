import { createContext, useReducer } from 'react';

/** Told by the photo fields of a form of each photo that they begin to make smaller, and of each that is done. */
export const PhotosInProgressContext = createContext<(by: number) => void>(() => undefined);

/** How many photos of a form are still being made smaller, and what counts them: handed in now, it would go without. */
export function usePhotosInProgress() {
  return useReducer((count: number, by: number) => count + by, 0);
}
