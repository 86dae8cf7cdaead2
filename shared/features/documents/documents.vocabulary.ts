// Separate from the schemas, so that a screen can name a type without loading the validation library.

/** The colours of folders (specification, section 3); the first is the default. */
export const FOLDER_COLORS = [
  'blue',
  'green',
  'red',
  'purple',
  'orange',
  'yellow',
  'teal',
  'pink',
  'gray',
] as const;
export type FolderColor = (typeof FOLDER_COLORS)[number];
export const FOLDER_COLOR_LABELS: Readonly<Record<FolderColor, string>> = {
  blue: 'Blue',
  green: 'Green',
  red: 'Red',
  purple: 'Purple',
  orange: 'Orange',
  yellow: 'Yellow',
  teal: 'Teal',
  pink: 'Pink',
  gray: 'Gray',
};
export const DEFAULT_FOLDER_COLOR: FolderColor = 'blue';

/** The name under which documents without a discipline are listed (ruling S16). */
export const GENERAL = 'General';

export const DOCUMENT_SORTS = ['name', 'modified', 'size'] as const;
export type DocumentSort = (typeof DOCUMENT_SORTS)[number];
export const DOCUMENT_SORT_LABELS: Readonly<Record<DocumentSort, string>> = {
  name: 'Name',
  modified: 'Modified',
  size: 'File size',
};
export const DOCUMENT_DIRECTIONS = ['asc', 'desc'] as const;

/** Filters by a document's own expiry date. */
export const DOCUMENT_EXPIRIES = ['all', 'expired', 'expires_soon', 'has_expiry'] as const;
export type DocumentExpiry = (typeof DOCUMENT_EXPIRIES)[number];
export const DOCUMENT_EXPIRY_LABELS: Readonly<Record<DocumentExpiry, string>> = {
  all: 'Any expiry',
  expired: 'Expired',
  expires_soon: 'Expires soon',
  has_expiry: 'Has an expiry date',
};
/** A document expires soon if its date is today or at most this many days ahead. */
export const EXPIRES_SOON_DAYS = 30;

/** The number of days for which deleted documents can be restored. */
export const BIN_DAYS = 30;

/** The ways to treat an upload whose name is taken in the place. */
export const ON_SAME_NAME = ['refuse', 'version', 'keep_both'] as const;
/** The maximum size of a thumbnail, in bytes. */
export const DOCUMENT_THUMBNAIL_MAX_BYTES = 40 * 1024;
/** The most certificates of one completion. */
export const CERTIFICATES_MAX = 20;

/** The most selected documents and folders of one archive, whose address contains their ids. */
export const ARCHIVE_SELECTION_MAX = 200;
/** The most files and folders in one archive. */
export const ARCHIVE_ENTRIES_MAX = 10_000;

/** In characters; the limit of common file systems. */
export const DOCUMENT_NAME_MAX = 255;
export const DOCUMENT_DESCRIPTION_MAX = 2_000;
export const DOCUMENT_SEARCH_MAX = 200;
/** The most documents and folders that one command moves or deletes, besides what is below them. */
export const DOCUMENT_SELECTION_MAX = 500;
/** The most paths that one command makes folders for. */
export const FOLDER_PATHS_MAX = 500;
/** The deepest nesting of folders: with usual names, as deep as a path on Windows can be. */
export const FOLDER_DEPTH_MAX = 32;
export const DOCUMENT_PAGE_MAX = 200;
