import type { Readable } from 'node:stream';

/** A file that is being uploaded. */
export type Arriving = {
  /** The id of its row. */
  id: string;
  /** The key under which it will be stored. */
  key: string;
  /** The size of the whole file. */
  bytes: number;
  multipartId: string | null;
};

/** The right to write an upload, which a newer writer takes away. */
export type Fence = {
  /** The number of this writer. */
  readonly number: number;
  /**
   * The previous writer did not release its lease, so it may still write: its process may have been paused in the middle
   * of a write.
   */
  readonly tookOver: boolean;
  /** @throws StorageError `fenced` if this writer may have lost its lease */
  assertHeld(): void;
};

/** A range of the bytes that have arrived; it begins where the previous piece ends. */
export type Piece = { bytes: number; sha256: string };

/** Length of the pieces whose hashes are sent to a device, so that it can compare them with its file. */
export const PIECE_BYTES = 8 * 1024 * 1024;

/** The bytes of unfinished uploads in one store. */
export interface Arrivals {
  /** The number of bytes that are stored; all of them once the file is finished. */
  received(file: Arriving): Promise<number>;
  /**
   * Writes from an offset, until the source ends or breaks off. The bytes that it counts in its result are durable.
   * @returns the number of bytes stored, and the hash of the whole file if it could be computed as the bytes arrived
   * @throws StorageError `gap` for an offset at which the upload cannot continue, `too_large`, `full`, `fenced`, `unreachable`;
   *   bytes stored before stay
   */
  append(
    file: Arriving,
    offset: number,
    source: Readable,
    fence: Fence,
  ): Promise<{ received: number; sha256?: string }>;
  /** Moves a complete upload to its key. Idempotent: repeated after a crash, it continues where it stopped. */
  finish(file: Arriving, fence: Fence): Promise<void>;
  /** The hashes of the pieces that have arrived, in order; stops early if the caller has left. */
  pieces(file: Arriving, isAbandoned: () => boolean): Promise<Piece[]>;
  /** Deletes the bytes that have arrived, and a file under the key. */
  drop(file: Arriving): Promise<void>;
  /** Deletes the remains of uploads without a row that are older than this moment. */
  tidy(before: Date, isKnown: (id: string) => Promise<boolean>): Promise<void>;
}
