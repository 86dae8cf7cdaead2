import { z } from 'zod';
import { fromTo } from '../../changed-field.ts';
import { messages } from '../../messages.ts';
import { typedLine, typedText } from '../../text/text.ts';
import {
  ARCHIVE_SELECTION_MAX,
  DEFAULT_FOLDER_COLOR,
  DOCUMENT_DESCRIPTION_MAX,
  DOCUMENT_DIRECTIONS,
  DOCUMENT_EXPIRIES,
  DOCUMENT_NAME_MAX,
  DOCUMENT_PAGE_MAX,
  DOCUMENT_SEARCH_MAX,
  DOCUMENT_SELECTION_MAX,
  DOCUMENT_SORTS,
  DOCUMENT_THUMBNAIL_MAX_BYTES,
  FOLDER_COLORS,
  FOLDER_DEPTH_MAX,
  FOLDER_PATHS_MAX,
  ON_SAME_NAME,
} from './documents.vocabulary.ts';
import { documentMessages } from './documents-messages.ts';

/** A name without invisible characters, in Unicode form NFC, so that names that look the same are equal. */
const nameSchema = (required: string) =>
  typedLine()
    .overwrite((text) => text.normalize('NFC'))
    .min(1, required)
    .max(DOCUMENT_NAME_MAX, messages.common.tooLong(DOCUMENT_NAME_MAX));
/** The name of a file, as a person's computer has it or as people type it. */
export const documentNameSchema = nameSchema(documentMessages.nameRequired);
const folderNameSchema = nameSchema(documentMessages.folderNameRequired);
/** An empty text becomes null. */
export const documentDescriptionSchema = typedText()
  .max(DOCUMENT_DESCRIPTION_MAX, messages.common.tooLong(DOCUMENT_DESCRIPTION_MAX))
  .nullable()
  .transform((text) => (text === '' ? null : text));
const colorSchema = z.enum(FOLDER_COLORS);
/** A calendar date from 1900 to 2199; null for no expiry. */
export const documentExpirySchema = z.iso
  .date(messages.common.invalid)
  .refine((day) => day >= '1900-01-01' && day <= '2199-12-31', messages.common.invalid)
  .nullable();

/**
 * A file or folder of a building's documents, as answers and events carry it. Files and folders have the discipline of
 * the folder that they are in.
 */
export const documentSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  parentFolderId: z.uuid().nullable(),
  /** The ids of the folders that contain it, the outermost first. Only a move changes them. */
  folderPath: z.array(z.uuid()),
  isFolder: z.boolean(),
  fileName: z.string(),
  description: z.string().nullable(),
  /** Null: General. */
  disciplineId: z.uuid().nullable(),
  /** Null for files. */
  folderColor: colorSchema.nullable(),
  /** Of the current version: the media type, the size in bytes, the hash. Null for folders. */
  fileType: z.string().nullable(),
  fileSize: z.number().int().nullable(),
  sha256: z.string().nullable(),
  /** The number of the current version, from 1; null for folders. */
  currentVersion: z.number().int().nullable(),
  hasThumbnail: z.boolean(),
  /** The document's own expiry; for a certificate, the date that the certified completion states. */
  expiresOn: z.string().nullable(),
  /** The completion that the document certifies, which makes it read-only here; null for other documents. */
  proof: z.object({ taskId: z.uuid(), taskNumber: z.string(), completionId: z.uuid() }).nullable(),
  uploadedBy: z.uuid(),
  /** People's names are as they were at that time. */
  uploadedByName: z.string(),
  uploadedAt: z.string(),
  modifiedByName: z.string().nullable(),
  modifiedAt: z.string(),
  deletedAt: z.string().nullable(),
  deletedByName: z.string().nullable(),
  /** The deleted file or folder with which this one was deleted; they are restored together. */
  deletedWith: z.uuid().nullable(),
  version: z.number().int(),
});
export type Document = z.infer<typeof documentSchema>;

/** A place of documents: a building, one of its disciplines (null is General), or a folder. */
export const documentPlaceSchema = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('building') }),
  z.strictObject({ at: z.literal('discipline'), disciplineId: z.uuid().nullable() }),
  z.strictObject({ at: z.literal('folder'), folderId: z.uuid() }),
]);
export type DocumentPlace = z.infer<typeof documentPlaceSchema>;

/** A place in a building. As a target for documents, the place `building` means General. */
const targetShape = { buildingId: z.uuid(), place: documentPlaceSchema };

/** The order of a list. Folders come first in both directions; ties are broken by name, then by id. */
export const documentOrderSchema = z.object({
  sort: z.enum(DOCUMENT_SORTS).default('name'),
  direction: z.enum(DOCUMENT_DIRECTIONS).default('asc'),
});
export type DocumentOrder = z.infer<typeof documentOrderSchema>;

/** The last row of the page before: whether it is a folder, its sort keys as the database computes them, and its id. */
export const documentCursorSchema = z.strictObject({
  isFolder: z.boolean(),
  // A name's key is longer than the name: each number in it is padded with zeros.
  keys: z
    .array(z.string().max(12 * DOCUMENT_NAME_MAX))
    .min(1)
    .max(2),
  id: z.uuid(),
});
export type DocumentCursor = z.infer<typeof documentCursorSchema>;

/**
 * Input of `documents.list`. For a discipline or a folder, without a search or an expiry filter, the list has only the
 * documents directly in that place. Otherwise it has all documents below the place.
 */
export const listDocumentsInput = z.strictObject({
  ...targetShape,
  search: z.string().trim().max(DOCUMENT_SEARCH_MAX).default(''),
  expiry: z.enum(DOCUMENT_EXPIRIES).default('all'),
  ...documentOrderSchema.shape,
  foldersOnly: z.boolean().default(false),
  limit: z.number().int().min(1).max(DOCUMENT_PAGE_MAX).default(100),
  cursor: documentCursorSchema.nullable().default(null),
});
export type ListDocumentsInput = z.infer<typeof listDocumentsInput>;

export type DocumentPage = {
  rows: Document[];
  /** Null on the last page. */
  nextCursor: DocumentCursor | null;
  /** The number of rows in the whole list; counting may stop early only in a deep list (`isDeep`). */
  total: number;
  totalIsLeast: boolean;
  /** The organisation's day, by which expiry is judged. */
  today: string;
};

/** Input of `documents.root`. */
export const documentRootInput = z.strictObject({ buildingId: z.uuid() });
/** The counts of a discipline at a building, at all depths. */
export type DisciplineContents = {
  /** Null: General. */
  disciplineId: string | null;
  /** The discipline's present name; null for General. */
  name: string | null;
  /** Inactive disciplines are listed while they contain documents. */
  isActive: boolean;
  files: number;
  folders: number;
  bytes: number;
  expired: number;
  expiresSoon: number;
};
/** The disciplines in use; also inactive ones and General while they contain documents. */
export type DocumentRoot = { disciplines: DisciplineContents[]; today: string };

/** Input of `documents.path`. */
export const documentPathInput = z.strictObject({ folderId: z.uuid() });
/** The path of a folder: the folders that contain it, the outermost first, and the folder itself last. */
export type FolderTrail = {
  buildingId: string;
  disciplineId: string | null;
  folders: Pick<Document, 'id' | 'fileName' | 'folderColor'>[];
};

export const documentIdInput = z.strictObject({ id: z.uuid() });
/** A version of a document's file; the numbers begin at 1. */
export const documentVersionSchema = z.object({
  id: z.uuid(),
  number: z.number().int(),
  fileSize: z.number().int(),
  fileType: z.string(),
  sha256: z.string(),
  hasThumbnail: z.boolean(),
  uploadedByName: z.string(),
  uploadedAt: z.string(),
});
export type DocumentVersion = z.infer<typeof documentVersionSchema>;
/** Answer of `documents.byId`; the newest version comes first. */
export type DocumentDetails = {
  document: Document;
  versions: DocumentVersion[];
  lastViewed: { at: string; byName: string } | null;
};

/** Input of `documents.bin`. The last deleted document comes first. */
export const documentBinInput = z.strictObject({
  buildingId: z.uuid(),
  limit: z.number().int().min(1).max(DOCUMENT_PAGE_MAX).default(50),
  cursor: z.strictObject({ deletedAt: z.iso.datetime(), id: z.uuid() }).nullable().default(null),
});
export type DocumentBinInput = z.infer<typeof documentBinInput>;
/** The files, folders and bytes of a subtree, including its top folder. */
export type Contents = { files: number; folders: number; bytes: number };
export type DocumentBinPage = {
  rows: (Document & Contents)[];
  nextCursor: { deletedAt: string; id: string } | null;
};

const selectionSchema = z
  .array(z.uuid())
  .min(1)
  .max(DOCUMENT_SELECTION_MAX)
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);
/** Input of `documents.subtree`: the documents whose contents are counted, each once. */
export const documentSubtreeInput = z.strictObject({ ids: selectionSchema });

/** Input of `documents.archiveLink`: the documents that, with everything below them, become one ZIP file. */
export const archiveLinkInput = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(ARCHIVE_SELECTION_MAX),
});

/** Input of `documents.link`: for the bytes of the current version, or of `versionId`. `preview` records the last view. */
export const documentLinkInput = z.strictObject({
  id: z.uuid(),
  versionId: z.uuid().optional(),
  as: z.enum(['preview', 'download']),
});
export type DocumentLinkInput = z.infer<typeof documentLinkInput>;
/** An address that works for this person until `expiresAt`, as long as they may see the document. */
export type DocumentLink = { url: string; expiresAt: string };

/** Input of `documents.sameNames`: asks which of these names are taken by files in the place. */
export const sameNamesInput = z.strictObject({
  ...targetShape,
  names: z.array(documentNameSchema).max(FOLDER_PATHS_MAX),
});
export type SameNamesInput = z.infer<typeof sameNamesInput>;

/** Input of `documents.createFolder`. `id` is made by the client (UUIDv7) and becomes the primary key. */
export const createFolderInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  ...targetShape,
  name: folderNameSchema,
  color: colorSchema.default(DEFAULT_FOLDER_COLOR),
});
export type CreateFolderInput = z.infer<typeof createFolderInput>;

/** Input of `documents.createFolders`: creates the folders on these paths; existing folders are used. */
export const createFoldersInput = z.strictObject({
  operationId: z.uuid(),
  ...targetShape,
  paths: z.array(z.array(folderNameSchema).min(1).max(FOLDER_DEPTH_MAX)).min(1).max(FOLDER_PATHS_MAX),
});
export type CreateFoldersInput = z.infer<typeof createFoldersInput>;
/** The folder of each path, in the order of the paths. */
export type FoldersMade = { id: string; version: number; made: number; folderIds: string[] };

/** Input of `documents.update`: each changed field with the value that the person saw and the new value. */
export const updateDocumentInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  changes: z
    .strictObject({
      fileName: fromTo(documentNameSchema, z.string().max(DOCUMENT_NAME_MAX)),
      description: fromTo(documentDescriptionSchema, z.string().max(DOCUMENT_DESCRIPTION_MAX).nullable()),
      folderColor: fromTo(colorSchema, colorSchema),
      expiresOn: fromTo(documentExpirySchema, z.iso.date().nullable()),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, messages.common.nothingChanged),
});
export type UpdateDocumentInput = z.infer<typeof updateDocumentInput>;

/** Input of `documents.move`. The place `building` means General. */
export const moveDocumentsInput = z.strictObject({
  operationId: z.uuid(),
  buildingId: z.uuid(),
  ids: selectionSchema,
  to: documentPlaceSchema,
});
export type MoveDocumentsInput = z.infer<typeof moveDocumentsInput>;
/** Input of `documents.remove`: deletes documents with everything below them. */
export const removeDocumentsInput = z.strictObject({
  operationId: z.uuid(),
  buildingId: z.uuid(),
  ids: selectionSchema,
});
export type RemoveDocumentsInput = z.infer<typeof removeDocumentsInput>;
/** Answer of a command about several documents: the number of changed rows, and the documents that got another name. */
export type DocumentsChanged = {
  id: string;
  version: number;
  files: number;
  folders: number;
  /** Files and folders together, and the place in words as in the Activity: "to Fire Safety > Plans". */
  count: number;
  where: string | null;
  /** The documents that got a number in their name, because the name was taken in the new place. */
  renamed: { id: string; fileName: string }[];
};

/** Input of `documents.makeCurrent`: an older version becomes the current one, under a new version number. */
export const makeCurrentInput = z.strictObject({ operationId: z.uuid(), id: z.uuid(), versionId: z.uuid() });
export type MakeCurrentInput = z.infer<typeof makeCurrentInput>;

/** Input of `documents.ofTask`: the certificates of a task's completions. */
export const documentsOfTaskInput = z.strictObject({ taskId: z.uuid() });

/**
 * Input of the upload route `document`. `uploadId` is made by the browser (UUIDv7): it is the id of the stored file, and of
 * the document, unless the file becomes a new version of an existing document.
 */
export const documentUploadInput = z.strictObject({
  uploadId: z.uuid(),
  ...targetShape,
  description: documentDescriptionSchema.default(null),
  expiresOn: documentExpirySchema.default(null),
  /** The file's own time on the uploader's device, Unix milliseconds. */
  lastModified: z.number().int(),
  onSameName: z.enum(ON_SAME_NAME).default('refuse'),
  /** A small JPEG or WebP in base64, made by the browser. */
  thumbnail: z
    .base64()
    .max(Math.ceil(DOCUMENT_THUMBNAIL_MAX_BYTES / 3) * 4)
    .optional(),
  /** For a certificate: the completion's line in the task's record. The place is then the task's discipline. */
  proofOf: z.strictObject({ completionId: z.uuid() }).optional(),
});
export type DocumentUpload = z.infer<typeof documentUploadInput>;

/** The answer to an upload: the document, the number of its version, and the name that it got. */
export type StoredDocument = {
  id: string;
  documentId: string;
  version: number;
  number: number;
  fileName: string;
  /** The chosen folder was deleted in the meantime, so the document is at the top of the discipline. */
  elsewhere: boolean;
};

/** Input of `documents.restore`: restores a deleted document with everything that was deleted with it. */
export const restoreDocumentInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type RestoreDocumentInput = z.infer<typeof restoreDocumentInput>;
