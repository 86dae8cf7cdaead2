import type { FileHandle } from 'node:fs/promises';
import { writeFully } from './write-fully.ts';

/** Bytes per write. A write is handed to another thread, which costs more than copying the 64 KiB of one piece. */
const STRETCH_BYTES = 512 * 1024;
/**
 * How long a smaller number of bytes waits for more, in ms; bounds the loss when the process is killed during a slow upload.
 */
const GATHER_MS = 25;
/** Bytes that may wait during a write before `write` waits as well, so that memory stays bounded. */
const WAITING_MAX = 2 * STRETCH_BYTES;
/** Bytes after which the file is synced in the background, so that the sync at the end has little left to do. */
const SYNC_BYTES = 64 * 1024 * 1024;

/** Writes pieces to a file in their order, while the next ones arrive. */
export type WriteBehind = {
  /** Queues a piece; waits while the queue is full. Rejects with the error of an earlier write. */
  write(piece: Buffer): Promise<void>;
  /** Waits until every piece in the queue is durable. Rejects as `write` does. */
  flush(): Promise<void>;
  /** Empties the queue, and waits for the write in progress. Call it before the file is closed. */
  stop(): Promise<void>;
};

/**
 * @param position where in the file the first piece is written
 * @param onStretch gets each run of bytes just before it is written; if it throws, nothing more is written
 */
export function writeBehind(
  file: FileHandle,
  position: number,
  onStretch: (stretch: Uint8Array) => void,
): WriteBehind {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let end = position;
  let writing = Promise.resolve();
  let isWriting = false;
  /** Whether all pieces are queued: the rest is then written without waiting for more. */
  let isEnding = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failure: { error: unknown } | undefined;
  let unsynced = 0;
  let syncing = Promise.resolve();
  let isSyncing = false;

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isWriting && bytes > 0 && failure === undefined) writing = writeAll();
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    try {
      do await writeStretch();
      while (bytes >= STRETCH_BYTES || (isEnding && bytes > 0));
    } catch (error) {
      failure ??= { error };
    } finally {
      isWriting = false;
    }
    if (bytes > 0) gather();
  }

  function gather(): void {
    timer ??= setTimeout(start, GATHER_MS);
  }

  async function writeStretch(): Promise<void> {
    const stretch = Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
    onStretch(stretch);
    await writeFully(file, stretch, end);
    end += stretch.byteLength;
    unsynced += stretch.byteLength;
    if (unsynced >= SYNC_BYTES && !isSyncing) syncing = sync();
  }

  async function sync(): Promise<void> {
    isSyncing = true;
    unsynced = 0;
    try {
      await file.datasync();
    } catch (error) {
      // The system reports such an error only once, and may have dropped the bytes. So all later writes fail, too.
      failure ??= { error };
    } finally {
      isSyncing = false;
    }
  }

  function assertSound(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    async write(piece) {
      assertSound();
      waiting.push(piece);
      bytes += piece.byteLength;
      if (bytes >= STRETCH_BYTES) start();
      else gather();
      if (bytes >= WAITING_MAX) await writing;
      assertSound();
    },
    async flush() {
      isEnding = true;
      start();
      await writing;
      await syncing;
      assertSound();
      await file.datasync();
    },
    async stop() {
      waiting = [];
      bytes = 0;
      await writing;
      clearTimeout(timer);
      await syncing;
    },
  };
}
