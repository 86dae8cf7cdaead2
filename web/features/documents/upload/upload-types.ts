import type { DocumentPlace } from '#shared/features/documents/documents.ts';

/** Where the files of a batch go; with `proofOf` they become certificates of that completion. */
export type UploadTarget = {
  buildingId: string;
  place: DocumentPlace;
  proofOf?: { completionId: string } | undefined;
};

/** What to do with a file whose name exists already in the place. */
export type SameName = 'version' | 'keep_both' | 'skip';

/**
 * `taken`: the name exists in the place, and the person is asked what to do. `waiting`: until one of the running uploads
 * ends. `paused`: the connection broke; it resumes by itself. `stored` and `cancelled` are final, `failed` until a retry.
 */
export type UploadState = 'taken' | 'waiting' | 'sending' | 'paused' | 'stored' | 'failed' | 'cancelled';

/** A file on its way to the server. Replaced, never changed: React compares by identity. */
export type Upload = {
  /** Made by the client; the server's id of the file, and of the document unless the file becomes a version. */
  readonly id: string;
  readonly batchId: string;
  readonly target: UploadTarget;
  readonly name: string;
  readonly bytes: number;
  /** The file's own time of change, Unix milliseconds. */
  readonly lastModified: number;
  /** Undefined once nothing more is sent. */
  readonly file: File | undefined;
  readonly onSameName: 'refuse' | Exclude<SameName, 'skip'>;
  /** Whether it was begun, by this page or an earlier one: the server may have some bytes. */
  readonly begun: boolean;
  readonly state: UploadState;
  /** Bytes that the server has, as far as known. */
  readonly sent: number;
  /** Why it failed. */
  readonly failure?: string | undefined;
};

/** The input of the upload route, beside the file's name, type and size. */
export type UploadInput = UploadTarget & {
  uploadId: string;
  lastModified: number;
  onSameName: Upload['onSameName'];
  /** Base64. */
  thumbnail?: string | undefined;
};

/** The server's answer when it has all bytes. */
export type StoredUpload = { id: string; documentId: string; version: number; fileName: string };

/** The files that were chosen together: one question and one toast are about all of them. */
export type UploadBatch = {
  readonly id: string;
  readonly target: UploadTarget;
  /** The answer to the question about names that exist already. */
  readonly answer?: SameName | undefined;
};

/**
 * Why a try has ended. `cut`: the server did not answer; a later try resumes. `fault`: the server could not store it now.
 * `expired`: a new address is needed. `taken`: the name exists in the place. `refused`: a retry does not help.
 */
export type UploadFailure = 'cut' | 'fault' | 'expired' | 'taken' | 'refused';

export class UploadError extends Error {
  override name = 'UploadError';
  readonly failure: UploadFailure;
  /** The wait that the server asks for before the next try, in milliseconds; 0 if it asks for none. */
  readonly waitMs: number;

  /** @param message the sentence for the person, if it was the last try */
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
  /** @param sent how many bytes of the whole file are sent */
  onProgress: (sent: number) => void;
};
/** An upload that has its file. */
export type Sendable = Upload & { readonly file: File };

/** An upload as the server knows it, with or without its file. */
export type Announced = Pick<Upload, 'id' | 'target' | 'name' | 'bytes' | 'lastModified' | 'onSameName'> & {
  readonly file?: File | undefined;
};

/** Sends files to the server. All functions reject with an {@link UploadError}. */
export type UploadTransport = {
  /** The first try, from byte 0. */
  begin(upload: Sendable, options: SendOptions): Promise<StoredUpload>;
  /** Resumes from the byte that the server has reached. @param address undefined: a new one is requested */
  resume(upload: Sendable, address: string | undefined, options: SendOptions): Promise<StoredUpload>;
  /**
   * Tells the server to delete its bytes of an upload. @param address as for `resume`
   * @returns `stored` if it was complete already and is kept
   */
  cancel(upload: Announced, address: string | undefined): Promise<{ stored: boolean }>;
};
