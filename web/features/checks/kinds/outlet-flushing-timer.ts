/** Returns the minimum flushing time of a little-used outlet, in minutes. */
export const flushMinutes = () => 2;
