import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes of a piece. On a disk that is nearly full the system may take a part of them without an error; the
 * rest is tried again, and then refused.
 */
export async function writeFully(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < piece.byteLength) {
    const { bytesWritten } = await file.write(piece, done, piece.byteLength - done, position + done);
    done += bytesWritten;
  }
}
