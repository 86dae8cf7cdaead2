/**
 * All addresses below this prefix get answers of the API, also those of versions that do not exist. Only the app's uploads
 * have their own routes there.
 */
export const API_PREFIX = '/api';
/** The address of this version. Operations' paths begin after it. */
export const API_ADDRESS = `${API_PREFIX}/v1`;
