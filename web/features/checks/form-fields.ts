/** Under which an entry about a place stands in its draft: a visit has one. */
export const TEST_LOCATION_KEY = 'place';
/** The field that holds the name of the place. */
export const TEST_LOCATION_FIELD = 'locationTested';
/** Ticked before a lighting test is handed in: the mains are back, and the indicators of the batteries are on. */
export const SUPPLY_RESTORED = 'supplyRestored';
/** Ticked where a place that was typed in is to be offered from now on. */
export const SAVE_AS_POINT = 'saveAsPoint';
/** Set on an entry whose outcome came by the one press that fills all rows, until it is given by hand. */
export const AT_ONCE = 'atOnce';
