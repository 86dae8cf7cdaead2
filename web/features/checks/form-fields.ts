/** Under which an entry about a place stands in its draft: a visit has one. */
export const PLACE = 'place';
/** The field that holds the name of the place. */
export const PLACE_FIELD = 'locationTested';
/** Ticked before a lighting test is handed in: the mains are back, and the indicators of the batteries are on. */
export const SUPPLY_RESTORED = 'supplyRestored';
/** Ticked where a place that was typed in is to be offered from now on. */
export const SAVE_AS_POINT = 'saveAsPoint';
