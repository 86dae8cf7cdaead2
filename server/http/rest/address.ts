/** Everything below it is answered as an API: versions that do not exist, too. The app's uploads have routes of their own there. */
export const API_PREFIX = '/api';
/** The address of this version. Operations' paths begin after it. */
export const API_ADDRESS = `${API_PREFIX}/v1`;
