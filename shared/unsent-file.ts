/** A file of what a device has saved and not sent. Types alone: the device that makes one needs no schemas for it. */
export const UNSENT_FORMAT = 'lintel-unsent-records';
/** Rises when an older server could not read the content any more. */
export const UNSENT_VERSION = 1;
/** Ends the name of the command in the record of a change that came by such a file. */
export const IMPORTED = '.imported';
/** Pictures are in it, as text. */
export const UNSENT_MAX_BYTES = 200 * 1024 * 1024;

/** The file: the content as one text, and its hash, so that any change of it shows. */
export type UnsentFile = {
  format: typeof UNSENT_FORMAT;
  version: number;
  /** Of `content` in UTF-8, hex. */
  sha256: string;
  /** JSON of {@link UnsentContent}. */
  content: string;
};

export type UnsentAttachment = {
  id: string;
  sha256: string;
  contentType: string;
  /** What the device said of it when it was saved. */
  about: unknown;
  /** Base64. Null where the device does not have it any more. */
  data: string | null;
};

export type UnsentEntry = {
  /** The operation id: what the server has already is not stored again. */
  id: string;
  command: string;
  /** Null where the server has the entry, and only attachments are left. */
  input: unknown;
  /** What the server answered, where it has. */
  receipt: unknown;
  title: string;
  /** ISO, by the device's clock. */
  createdAt: string;
  attachments: UnsentAttachment[];
};

export type UnsentContent = {
  /** Whose records these are. */
  personId: string;
  personName: string;
  /** ISO, by the device's clock. */
  exportedAt: string;
  entries: UnsentEntry[];
};

/** What an import of such a file did. */
export type UnsentImported = {
  personName: string;
  imported: number;
  /** Stored already, by this file or by the device itself. */
  known: number;
  refused: { title: string; reason: string }[];
};
