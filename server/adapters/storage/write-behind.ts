import type { FileHandle } from 'node:fs/promises';
import { writeFully } from './write-fully.ts';

/** Bytes per write. A write is handed to another thread, which costs more than copying the 64 KiB of one piece. */
const STRETCH_BYTES = 512 * 1024;
/** How long fewer bytes wait for more, in ms; bounds what is lost when the process is killed on a slow connection. */
const GATHER_MS = 25;
/** Bytes that may wait during a write before `write` waits as well, so that memory stays bounded. */
const WAITING_MAX = 2 * STRETCH_BYTES;
/** Bytes after which the file is synced in the background, so that the sync at the end has little left to do. */
const SYNC_BYTES = 64 * 1024 * 1024;

/** Writes pieces to a file in their order, while the next ones arrive. */
export type WriteBehind = {
  /** Takes a piece; waits while too much waits to be written. Rejects with what an earlier write failed with. */
  write(piece: Buffer): Promise<void>;
  /** Waits until everything that was taken is durable. Rejects as `write` does. */
  flush(): Promise<void>;
  /** Drops what waits, and ends with what is being written; before the file is closed. */
  stop(): Promise<void>;
};

/**
 * @param position where the first piece goes
 * @param onStretch is given each stretch of bytes just before it is written; if it throws, nothing more is written
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
  /** Nothing more comes, so nothing waits for more. */
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
      // The disk may have dropped what it could not keep, and would not say so again.
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
