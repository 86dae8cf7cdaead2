/** The steps of a picture's zoom, in percent (it begins at 100). */
export const ZOOM_START = 100;
const ZOOM_LEAST = 25;
const ZOOM_MOST = 200;
const ZOOM_STEP = 25;

/** The next zoom in a direction; the same at an end. */
export function zoomed(zoom: number, direction: 1 | -1): number {
  return Math.min(ZOOM_MOST, Math.max(ZOOM_LEAST, zoom + direction * ZOOM_STEP));
}
