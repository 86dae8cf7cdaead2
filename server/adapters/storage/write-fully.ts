import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes of a piece. On a nearly full disk the system may write only some of them without an error; writing the rest
 * then reports the error.
 */
export async function writeFully(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < piece.byteLength) {
    const { bytesWritten } = await file.write(piece, done, piece.byteLength - done, position + done);
    done += bytesWritten;
  }
}
