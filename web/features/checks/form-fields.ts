/** Key of the draft entry for a test location. A visit of such a kind has exactly one entry. */
export const TEST_LOCATION_KEY = 'place';
/** Field for the name of the test location. */
export const TEST_LOCATION_FIELD = 'locationTested';
/**
 * Checkbox of an emergency lighting test: the mains supply is restored and the battery indicators are lit. Required
 * before submitting.
 */
export const SUPPLY_RESTORED = 'supplyRestored';
/** Checkbox that stores a typed-in test location as a test point of the site. */
export const SAVE_AS_POINT = 'saveAsPoint';
/** Flag of an entry whose outcome was set by the "fill all" button. Cleared when the outcome is set by hand. */
export const AT_ONCE = 'atOnce';
