import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** How shared frames are written: directly to the socket, or through the library, which costs two thirds more. */
export type WriteMode = 'socket' | 'library';

/**
 * Writes finished frames to sockets. Bypassing the library is safe because nothing else can be interleaved: no compression, no
 * fragments, no Blobs. A frame queued in many sockets is never modified.
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

/** Resolves true once at most `bytes` wait in the socket; false on timeout or if the socket is closed. */
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
