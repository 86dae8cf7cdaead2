/** The one path that the socket serves. */
export const LIVE_PATH = 'live.stream';

/** Thrown by the procedure's body: whoever got so far may subscribe, and is served by the live handler. */
export const LIVE_ONLY = new Error(`${LIVE_PATH} is served by the live handler only`);
