/** Start, limits and step of a picture's zoom, in percent. */
export const ZOOM_START = 100;
const ZOOM_LEAST = 25;
const ZOOM_MOST = 200;
const ZOOM_STEP = 25;

/** Returns the next zoom in a direction; unchanged at a limit. */
export function zoomed(zoom: number, direction: 1 | -1): number {
  return Math.min(ZOOM_MOST, Math.max(ZOOM_LEAST, zoom + direction * ZOOM_STEP));
}
