/** Properties of a frame that scrolls by keys: while it has the focus, arrow keys do not open the next document. */
export const SCROLLED_BY_KEYS = { tabIndex: 0, 'data-pans': '' };
