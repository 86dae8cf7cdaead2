import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CLOSE_IDLE_EVERY_MS = 50;
/** Responses that take longer are cut off. */
const FINISH_WITHIN_MS = 15_000;

/**
 * Tracks the connections of a server from now on.
 * @returns a function that closes the server once its responses are sent. It closes connections without a request
 *   repeatedly: a connection whose response was in progress stays open for its next request, and Node does not count a
 *   connection as idle that has not sent anything yet. Browsers open such spare connections.
 */
export function trackConnections(server: Server): (closing: { close(): Promise<unknown> }) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function closeIdle() {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }
  return async (closing) => {
    const idle = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
    const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
    try {
      await closing.close();
    } finally {
      clearInterval(idle);
      clearTimeout(late);
    }
  };
}
