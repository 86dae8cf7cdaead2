import type { DocumentPlace } from '#shared/features/documents.ts';

/** Where the files of a batch go. With a completion they are its certificates. */
export type UploadTarget = {
  buildingId: string;
  place: DocumentPlace;
  proofOf?: { completionId: string } | undefined;
};

/** How a file is treated whose name is taken in the place. */
export type SameName = 'version' | 'keep_both' | 'skip';

/**
 * `taken`: its name exists there, and the person is asked what to do. `waiting`: for one of the places in the queue.
 * `paused`: the connection broke; it goes on by itself. The other states are final until the person retries.
 */
export type UploadState = 'taken' | 'waiting' | 'sending' | 'paused' | 'stored' | 'failed' | 'cancelled';

/** A file on its way to the server. Replaced, never changed: React compares by identity. */
export type Upload = {
  /** Made here; the server's id of the file, and of the document unless it becomes a version. */
  readonly id: string;
  readonly batchId: string;
  readonly target: UploadTarget;
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds, from the file. */
  readonly lastModified: number;
  /** Let go when nothing more is sent of it. */
  readonly file: File | undefined;
  readonly onSameName: 'refuse' | Exclude<SameName, 'skip'>;
  /** It has been begun, here or before the page was loaded: the server may hold some of it. */
  readonly begun: boolean;
  readonly state: UploadState;
  /** Bytes that the server has, as far as known. */
  readonly sent: number;
  /** Why it failed. */
  readonly failure?: string | undefined;
};

/** The input of an upload, beside the file's own name, type and size. */
export type UploadInput = UploadTarget & {
  uploadId: string;
  lastModified: number;
  onSameName: Upload['onSameName'];
  /** Base64. */
  thumbnail?: string | undefined;
};

/** The server's answer when all bytes are in. */
export type StoredUpload = { id: string; documentId: string; version: number; fileName: string };

/** The files that were chosen together: asked about once, and told about once. */
export type UploadBatch = {
  readonly id: string;
  readonly target: UploadTarget;
  /** The answer to the question about names that exist already. */
  readonly answer?: SameName | undefined;
};

/**
 * Why a try to upload has ended. `cut`: without an answer of the server; a later try goes on. `fault`: the server could
 * not do it now. `expired`: the address must be issued anew. `taken`: the name exists in that place. `refused`: trying
 * again does not help.
 */
export type UploadFailure = 'cut' | 'fault' | 'expired' | 'taken' | 'refused';

export class UploadError extends Error {
  override name = 'UploadError';
  readonly failure: UploadFailure;
  /** The time for which the server asks to be left alone, in milliseconds. */
  readonly waitMs: number;

  /** @param message the sentence for the person, where the try is the last */
  constructor(failure: UploadFailure, message: string, options: { waitMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.waitMs = options.waitMs ?? 0;
  }
}

export type SendOptions = {
  signal: AbortSignal;
  /** The address to which the rest can be sent. */
  onAddress: (address: string) => void;
  /** @param sent bytes that the server has, of the whole file */
  onProgress: (sent: number) => void;
};
/** An upload that has its file. */
export type Sendable = Upload & { readonly file: File };

/** An upload as the server knows it, with or without its file. */
export type Announced = Pick<Upload, 'id' | 'target' | 'name' | 'bytes' | 'lastModified' | 'onSameName'> & {
  readonly file?: File | undefined;
};

/** How bytes get to the server. All reject with an {@link UploadError}. */
export type UploadTransport = {
  /** The first try, from byte 0. */
  begin(upload: Sendable, options: SendOptions): Promise<StoredUpload>;
  /** Goes on where the server stands. @param address undefined: one is issued anew for the same upload */
  resume(upload: Sendable, address: string | undefined, options: SendOptions): Promise<StoredUpload>;
  /**
   * Lets the server delete what it has of an upload. @param address as above
   * @returns `stored` if it was complete before, and stays
   */
  cancel(upload: Announced, address: string | undefined): Promise<{ stored: boolean }>;
};
