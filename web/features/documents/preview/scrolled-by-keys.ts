/** Properties of a frame that is scrolled with the keys: the arrows then do not lead to the next document. */
export const SCROLLED_BY_KEYS = { tabIndex: 0, 'data-pans': '' };
