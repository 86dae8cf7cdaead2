import type { Readable } from 'node:stream';

/** What holds where a caller says nothing else. */
export const STORAGE_DEFAULTS = { limit: 100, offset: 0, cacheSeconds: 3_600, overwrite: false } as const;

export type PutOptions = {
  /** A file that turns out longer is refused, and nothing of it stays. */
  maxBytes: number;
  /** In hexadecimal. A file with another hash is refused. */
  sha256?: string;
  overwrite?: boolean;
};
/** Both ends are part of it, as in a request for a range. */
export type ByteRange = { start: number; end: number };
export type StoredFile = { key: string; bytes: number };
export type OpenedFile = {
  /** Of the whole file, whatever the range. */
  bytes: number;
  /** How long a browser may keep it, where the one who serves it has no reason for less. */
  cacheSeconds: number;
  stream: Readable;
};

/**
 * Where files are kept. A key is a path of plain names: `photos/2026/11/0199….jpg`. A file is there whole or not at
 * all, also after a crash.
 */
export interface Storage {
  /** @throws StorageError `exists`, `too_large`, `mismatch` or `full`; then nothing has changed */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<{ bytes: number; sha256: string }>;
  /** @returns undefined where there is no such file, or where the range lies behind its end */
  get(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** What is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** By name, ascending. */
  list(prefix: string, page?: { limit?: number; offset?: number }): Promise<StoredFile[]>;
  /** How many bytes may still be put. */
  free(): Promise<number>;
  /** Removes what writing that was cut off before this moment has left. */
  tidy(before: Date): Promise<void>;
}

export type StorageProblem = 'exists' | 'too_large' | 'mismatch' | 'full' | 'gap';

/** Why a file was not taken. */
export class StorageError extends Error {
  readonly code: StorageProblem;

  constructor(code: StorageProblem, options?: ErrorOptions) {
    super(`the file was not taken: ${code}`, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

/** @throws for anything but names joined by slashes, so that no key leads out of the folder that holds the files */
export function assertKey(key: string): void {
  const names = key.split('/');
  if (key.length > 500 || !names.every((name) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,120}$/.test(name))) {
    throw new TypeError('That is no key of a stored file');
  }
}

/** What the operating system says, as the interface says it. */
export function toStorageError(error: unknown): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StorageError('full', { cause: error });
  if (code === 'EEXIST') return new StorageError('exists', { cause: error });
  return error;
}
