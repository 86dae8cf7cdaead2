import type { ErrorCode, WireError } from '#shared/errors.ts';

/** *Saved on this phone → Sending → Received*, or *Needs attention* (rule O1 to O4). */
export type QueuedState = 'saved' | 'sending' | 'received' | 'attention';

/** What the last try ended with: the server's refusal, or that it could not be asked. */
export type QueuedError = Omit<WireError, 'code'> & { code: ErrorCode | 'unreachable' };

/** A file that belongs to an entry. It is sent apart from it, and after it. */
export type QueuedAttachment = {
  id: string;
  /** Hex, noted before anything was sent. */
  sha256: string;
  contentType: string;
  bytes: number;
  /** What its sender must know of it besides; plain JSON. */
  about: unknown;
  sentBytes: number;
  state: QueuedState;
  lastError: QueuedError | null;
};

/** How an entry was filled in, so that it can be opened again in its form when the server refuses it. */
export type EntryForm = {
  /** Where the form is. */
  path: string;
  /** What it held; plain JSON. Its attachments are kept once, with the entry. */
  value: unknown;
};

/** One thing that a person has saved, until the server has it and for a day after. */
export type QueuedCommand = {
  /** The operation id (UUIDv7), by which the server knows a second copy. */
  id: string;
  command: string;
  /** Without the operation id. Null once it is received: the server has it then. */
  input: unknown;
  /** Null where it cannot be opened again: it is received, or was saved before forms were kept. */
  form: EntryForm | null;
  /** One line that tells the person which of their entries this is. */
  title: string;
  userId: string;
  /** ISO, by the clock of this device. */
  createdAt: string;
  state: QueuedState;
  attempts: number;
  lastError: QueuedError | null;
  /** What the server answered. */
  receipt: unknown;
  /** ISO, by the server's time as far as this device knows it. */
  receivedAt: string | null;
  attachments: readonly QueuedAttachment[];
  /** Of the entry and its attachments together. */
  bytes: number;
};

export type NewAttachment = { id: string; blob: Blob; sha256: string; about?: unknown };

export type NewEntry = {
  /** Made by the form, where a form may hand in the same entry twice: the second one is the first one. */
  id?: string | undefined;
  command: string;
  input: unknown;
  title: string;
  form?: EntryForm | undefined;
  attachments?: readonly NewAttachment[] | undefined;
  /** The draft that this entry was: it is gone exactly when the entry is saved, never before and never after. */
  draftKey?: string | undefined;
  /** The refused entry that this one puts right: it goes exactly when this one is saved. */
  replaces?: string | undefined;
};

/** Why nothing is being sent although something waits. */
export type QueueWait = 'offline' | 'retrying' | 'sign-in' | 'update' | 'storage';

export type QueueCounts = {
  /** Entries that the server does not have yet. */
  waiting: number;
  /** Of those, the ones on their way at this moment. */
  sending: number;
  /** Entries or attachments that a person must look at. */
  attention: number;
  /** Attachments on their way, or waiting for their turn, of entries that the server has. */
  attachments: number;
  /** Bytes that only this device has. */
  bytes: number;
};

export type QueueStatus = {
  /** Whether the entries of the person have been read from this device. */
  ready: boolean;
  /** Why this device cannot keep anything, if it cannot. */
  broken: 'newer_version' | 'storage_failed' | null;
  wait: QueueWait | null;
  counts: QueueCounts;
  /** When the oldest entry was saved that the server does not have, ISO. */
  oldestAt: string | null;
};

/** The reasons for which this device cannot keep something. Nothing is half kept. */
export type OfflineErrorCode =
  | 'storage_full'
  | 'storage_failed'
  | 'newer_version'
  | 'signed_out'
  /** What was to be put right is not waiting for that any more: it was sent again, or thrown away. */
  | 'moved_on';

export class OfflineError extends Error {
  readonly code: OfflineErrorCode;

  constructor(code: OfflineErrorCode, options: { cause?: unknown } = {}) {
    super(code, options);
    this.name = 'OfflineError';
    this.code = code;
  }
}
