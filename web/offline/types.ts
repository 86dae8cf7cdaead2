import type { ErrorCode, WireError } from '#shared/errors.ts';

/** *Saved on this phone → Sending → Received*, or *Needs attention* (rules O1 to O4). */
export type QueuedState = 'saved' | 'sending' | 'received' | 'attention';

/** The error of the last try: the server's refusal, or `unreachable`. */
export type QueuedError = Omit<WireError, 'code'> & { code: ErrorCode | 'unreachable' };

/** A file that belongs to a command and is sent separately, after it. */
export type QueuedAttachment = {
  id: string;
  /** Hex, computed before anything was sent. */
  sha256: string;
  contentType: string;
  bytes: number;
  /** Further data that its sender needs; plain JSON. */
  about: unknown;
  sentBytes: number;
  state: QueuedState;
  lastError: QueuedError | null;
};

/** The contents of the form, so that a refused command can be opened in it again. */
export type CommandForm = {
  /** The address of the form. */
  path: string;
  /** The form's values; plain JSON. Attachments are stored only once, with the command. */
  value: unknown;
};

/** A command of a person, stored until a day after the server has received it. */
export type QueuedCommand = {
  /** The operation id (UUIDv7), by which the server recognises a second copy. */
  id: string;
  command: string;
  /** Without the operation id. Null once the command is received, because the server has it. */
  input: unknown;
  /** Null if the command cannot be opened again: it was received, or it was saved before forms were stored. */
  form: CommandForm | null;
  /** One line by which the person recognises the command. */
  title: string;
  userId: string;
  /** ISO, by the device's clock. */
  createdAt: string;
  state: QueuedState;
  attempts: number;
  lastError: QueuedError | null;
  /** The server's answer. */
  receipt: unknown;
  /** ISO, by the estimated server time. */
  receivedAt: string | null;
  attachments: readonly QueuedAttachment[];
  /** The size of the command and its attachments together. */
  bytes: number;
};

export type NewAttachment = { id: string; blob: Blob; sha256: string; about?: unknown };

export type NewCommand = {
  /** Set by a form that may submit the same command twice: both copies then count as one command. */
  id?: string | undefined;
  command: string;
  input: unknown;
  title: string;
  form?: CommandForm | undefined;
  attachments?: readonly NewAttachment[] | undefined;
  /** The draft that becomes this command: it is removed in the transaction that saves the command. */
  draftKey?: string | undefined;
  /** The refused command that this one corrects: it is removed in the same transaction. */
  replaces?: string | undefined;
};

/** The reasons why nothing is being sent although something waits. */
export type QueueWait = 'offline' | 'retrying' | 'sign-in' | 'update' | 'storage';

export type QueueCounts = {
  /** The number of commands that the server does not have yet. */
  waiting: number;
  /** The number of waiting commands that are being sent at this moment. */
  sending: number;
  /** The number of commands or attachments that a person must look at. */
  attention: number;
  /** The number of attachments of received commands that are being sent or wait. */
  attachments: number;
  /** The number of bytes that only this device has. */
  bytes: number;
};

export type QueueStatus = {
  /** Whether the person's commands have been read from this device. */
  ready: boolean;
  /** The reason why this device cannot store anything, if so. */
  broken: 'newer_version' | 'storage_failed' | null;
  wait: QueueWait | null;
  counts: QueueCounts;
  /** The time at which the oldest command was saved that has not reached the server, ISO. */
  oldestAt: string | null;
};

/** The reasons why this device cannot store something. Nothing is stored in part. */
export type OfflineErrorCode =
  | 'storage_full'
  | 'storage_failed'
  | 'newer_version'
  | 'signed_out'
  /** The command to be corrected no longer needs a correction: it was sent again, or discarded. */
  | 'moved_on';

export class OfflineError extends Error {
  readonly code: OfflineErrorCode;

  constructor(code: OfflineErrorCode, options: { cause?: unknown } = {}) {
    super(code, options);
    this.name = 'OfflineError';
    this.code = code;
  }
}
