/** The format of a file of unsent records. This module has types, not schemas, because the device that writes it needs none. */
export const UNSENT_FORMAT = 'lintel-unsent-records';
/** Must be raised when a change makes the content unreadable for older servers. */
export const UNSENT_VERSION = 1;
/** The suffix of the command's name in events that come from such a file. */
export const IMPORTED = '.imported';
/** The size limit, in bytes; photos are included as base64. */
export const UNSENT_MAX_BYTES = 200 * 1024 * 1024;

/** The file: the content as one text, and its hash, which reveals any change of the content. */
export type UnsentFile = {
  format: typeof UNSENT_FORMAT;
  version: number;
  /** The hash of `content` in UTF-8, hex. */
  sha256: string;
  /** JSON of {@link UnsentContent}. */
  content: string;
};

export type UnsentAttachment = {
  id: string;
  sha256: string;
  contentType: string;
  /** The attachment's data as the device saved it. */
  about: unknown;
  /** Base64; null if the device no longer has the bytes. */
  data: string | null;
};

export type UnsentEntry = {
  /** The operation id, by which the server recognises a command that it has already received. */
  id: string;
  command: string;
  /** Null if the server has received the command, and only attachments remain. */
  input: unknown;
  /** The server's answer, if there was one. */
  receipt: unknown;
  title: string;
  /** ISO, by the device's clock. */
  createdAt: string;
  attachments: UnsentAttachment[];
};

export type UnsentContent = {
  /** The person whose records these are. */
  personId: string;
  personName: string;
  /** ISO, by the device's clock. */
  exportedAt: string;
  entries: UnsentEntry[];
};

/** The result of importing such a file. */
export type UnsentImported = {
  personName: string;
  imported: number;
  /** The number of records that were stored already, by this file or by the device itself. */
  known: number;
  refused: { title: string; reason: string }[];
};
