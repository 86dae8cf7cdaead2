import type { Readable } from 'node:stream';

/** Defaults of the options that a caller leaves out. */
export const STORAGE_DEFAULTS = { limit: 100, cacheSeconds: 3_600, overwrite: false } as const;

export type PutOptions = {
  /** A longer file is refused and leaves nothing behind. */
  maxBytes: number;
  /** The expected hash, hexadecimal. A file with another hash is refused. */
  sha256?: string;
  overwrite?: boolean;
};
/** Inclusive at both ends, as in an HTTP range request. */
export type ByteRange = { start: number; end: number };
export type GetOptions = {
  /** Bytes that are read from a disk at a time. A larger number is faster, but takes more memory for each slow reader. */
  chunkBytes?: number;
};
/** `at`: when it was last written. */
export type StoredFile = { key: string; bytes: number; at: Date };
export type OpenedFile = {
  /** Size of the whole file, whatever the range. */
  bytes: number;
  /** How long a browser may cache it, unless the route has a reason for less. */
  cacheSeconds: number;
  stream: Readable;
};

/**
 * File storage. A key is a path of plain names: `photos/2026/11/0199….jpg`. A file is stored completely or not at all,
 * also after a crash.
 */
export interface Storage {
  /** @throws StorageError `exists`, `too_large`, `mismatch` or `full`; nothing has changed then */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<{ bytes: number; sha256: string }>;
  /** @returns undefined if there is no such file, or the range begins beyond its end */
  get(key: string, range?: ByteRange, options?: GetOptions): Promise<OpenedFile | undefined>;
  /**
   * Moves a file of this machine, which must be durable already, into the storage. On the same volume nothing is copied.
   * @throws StorageError `exists`
   */
  adopt(key: string, path: string, options?: { overwrite?: boolean }): Promise<void>;
  /** @returns the size of a stored file, undefined if there is none */
  head(key: string): Promise<{ bytes: number } | undefined>;
  /** Deletes a file; does nothing if there is none. */
  delete(key: string): Promise<void>;
  /**
   * Lists files by name, ascending.
   * @param page.after the `next` of the page before
   */
  list(
    prefix: string,
    page?: { limit?: number; after?: string | undefined },
  ): Promise<{ files: StoredFile[]; next: string | undefined }>;
  /** Bytes that may still be stored. */
  free(): Promise<number>;
  /** Deletes the remains of writes that were interrupted before this moment. */
  tidy(before: Date): Promise<void>;
}

/**
 * `gap`: an upload would continue beyond the bytes that have arrived. `fenced`: a newer writer has taken over.
 * `unreachable`: the service that stores the files does not answer.
 */
export type StorageProblem = 'exists' | 'too_large' | 'mismatch' | 'full' | 'gap' | 'fenced' | 'unreachable';

/** The reason why a file was refused. */
export class StorageError extends Error {
  readonly code: StorageProblem;

  constructor(code: StorageProblem, options?: ErrorOptions) {
    super(`the file was not taken: ${code}`, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

/** @throws TypeError for anything but names joined by slashes, so that no key leads out of the storage folder */
export function assertKey(key: string): void {
  const names = key.split('/');
  if (key.length > 500 || !names.every((name) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,120}$/.test(name))) {
    throw new TypeError('That is no key of a stored file');
  }
}

/** Translates errors of the operating system to storage errors; returns others unchanged. */
export function toStorageError(error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StorageError('full', { cause: error });
  if (code === 'EEXIST') return new StorageError('exists', { cause: error });
  return error;
}
