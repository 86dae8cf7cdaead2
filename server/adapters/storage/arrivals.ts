import type { Readable } from 'node:stream';

/** A file that is being uploaded. */
export type Arriving = {
  /** The id of its row. */
  id: string;
  /** Under which it will be stored. */
  key: string;
  /** The whole. */
  bytes: number;
  multipartId: string | null;
};

/** The right to write an upload, which a newer writer takes away. */
export type Fence = {
  /** The number of this writer. */
  readonly number: number;
  /**
   * The writer before did not release its right, so a write of its own may still come: its process may have been paused
   * in the middle of it.
   */
  readonly tookOver: boolean;
  /** @throws StorageError `fenced` if the right may have gone */
  assertHeld(): void;
};

/** A stretch of what has arrived, from where the one before ended. */
export type Piece = { bytes: number; sha256: string };

/** Length of the pieces whose hashes are told, so that a device can compare them with the file that it has. */
export const PIECE_BYTES = 8 * 1024 * 1024;

/** The bytes of unfinished uploads in one store. */
export interface Arrivals {
  /** Bytes that are kept; all of them once the file has its place. */
  received(file: Arriving): Promise<number>;
  /**
   * Writes from an offset, until the source ends or breaks off. What it returns is durable.
   * @returns the bytes that are kept then, and the hash of the whole if it was made as the bytes came
   * @throws StorageError `gap` for an offset where nothing can go on, `too_large`, `full`, `fenced`, `unreachable`; what
   *   was kept before is kept
   */
  append(
    file: Arriving,
    offset: number,
    source: Readable,
    fence: Fence,
  ): Promise<{ received: number; sha256?: string }>;
  /** Gives a complete upload its place under the key. Repeated after a crash, it finds what is done. */
  finish(file: Arriving, fence: Fence): Promise<void>;
  /** The hashes of what has arrived, in order, until the caller has left. */
  pieces(file: Arriving, isAbandoned: () => boolean): Promise<Piece[]>;
  /** Deletes what has arrived, and a file under the key. */
  drop(file: Arriving): Promise<void>;
  /** Deletes remains, of uploads that have no row, which are older than this moment. */
  tidy(before: Date, isKnown: (id: string) => Promise<boolean>): Promise<void>;
}
