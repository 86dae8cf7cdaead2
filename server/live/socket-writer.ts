import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** How shared frames leave: straight into the socket, or (dearer by two thirds) through the library. */
export type WriteMode = 'socket' | 'library';

/**
 * Writes finished frames to sockets. Going past the library is safe because nothing else is done that could come
 * between: no compression, no fragments, no Blobs; and a frame that is queued in many sockets is never written into.
 */
export function createSocketWriter(
  writing: WriteMode,
): (ws: WebSocket, socket: Duplex, frame: Buffer) => void {
  if (writing === 'library') {
    return (ws, _socket, frame) => ws.send(frame.subarray(headerBytes(frame)), { binary: false });
  }
  return (ws, socket, frame) => {
    if (ws.readyState === ws.OPEN) socket.write(frame);
  };
}

function headerBytes(frame: Buffer): number {
  const length = frame[1] ?? 0;
  return length < 126 ? 2 : length === 126 ? 4 : 10;
}

/** Resolves true once no more than `bytes` wait in the socket, false when the time is over or it is closed. */
export function waitForDrain(ws: WebSocket, bytes: number, withinMs: number): Promise<boolean> {
  const LOOK_MS = 100;
  return new Promise((resolve) => {
    let left = withinMs;
    const timer = setInterval(() => {
      left -= LOOK_MS;
      const room = ws.bufferedAmount <= bytes;
      if (!room && left > 0 && ws.readyState === ws.OPEN) return;
      clearInterval(timer);
      resolve(room && ws.readyState === ws.OPEN);
    }, LOOK_MS);
  });
}
