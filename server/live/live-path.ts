/** The only path that the socket serves. */
export const LIVE_PATH = 'live.stream';

/** Thrown by the procedure's body: its caller has passed the guards, and the live handler takes over. */
export const LIVE_ONLY = new Error(`${LIVE_PATH} is served by the live handler only`);

/** The address at which a display opens its socket: only the display's credential is checked there, never a session. */
export const DISPLAY_SOCKET_PATH = '/trpc?display=1';
