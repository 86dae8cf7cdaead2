/** The minutes that a little-used outlet runs at least. */
export const flushMinutes = () => 2;
