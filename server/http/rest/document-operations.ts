import { z } from 'zod';
import {
  type DocumentPlace,
  type DocumentUpload,
  documentNameSchema,
  documentUploadInput,
  listDocumentsInput,
} from '#shared/features/documents/documents.ts';
import { findDocumentFile } from '../../features/documents/document-link.ts';
import { documentUploads } from '../../features/documents/document-purpose.ts';
import type { ContentOperation, UploadOperation } from './operation.ts';
import { invalidAt } from './problem.ts';

/** The value of `disciplineId` for documents without a discipline. */
const GENERAL = 'general';
/** A place of documents, as parameters: a folder, or the top of a discipline. */
const placeShape = {
  folderId: z.uuid().optional(),
  disciplineId: z.union([z.uuid(), z.literal(GENERAL)]).optional(),
};

/** The parameters of the list of documents: the input of `documents.list`, with its place as ids. */
export const listDocumentsQuery = listDocumentsInput
  .omit({ place: true, foldersOnly: true })
  .extend(placeShape);

/** @throws AppError `invalid` if both are given @returns undefined if neither is */
export function placeOf({ folderId, disciplineId }: Record<string, unknown>): DocumentPlace | undefined {
  // The casts: both were parsed as `placeShape`.
  if (folderId === undefined) {
    return disciplineId === undefined
      ? undefined
      : { at: 'discipline', disciplineId: disciplineId === GENERAL ? null : (disciplineId as string) };
  }
  if (disciplineId !== undefined) throw invalidAt('disciplineId', 'A folder has a discipline already');
  return { at: 'folder', folderId: folderId as string };
}

/** The parameters of an upload. */
const uploadQuery = documentUploadInput
  .pick({ buildingId: true, description: true, expiresOn: true, onSameName: true })
  .extend({ ...placeShape, fileName: documentNameSchema });

const content = {
  ...{ method: 'get', answers: 'content', permission: 'view_logbook' },
  // The cast: parsed by the operation's input.
  find: (db, actor, input) => findDocumentFile(db, actor, input as { id: string; versionId?: string }),
} as const satisfies Partial<ContentOperation>;

/** The operations that read and add the bytes of documents. */
export const documentOperations: readonly (ContentOperation | UploadOperation)[] = [
  {
    ...content,
    id: 'getDocumentContent',
    path: '/documents/{id}/content',
    summary: 'Read the file of a document',
    input: z.strictObject({ id: z.uuid() }),
  },
  {
    ...content,
    id: 'getDocumentVersionContent',
    path: '/documents/{id}/versions/{versionId}/content',
    summary: 'Read the file of a version of a document',
    input: z.strictObject({ id: z.uuid(), versionId: z.uuid() }),
  },
  {
    method: 'post',
    sends: 'file',
    command: 'documents.announce',
    id: 'createDocument',
    path: '/documents',
    summary:
      'Upload a document, or a new version of one; without a folder or a discipline to General. For a name that is taken, `onSameName` chooses',
    input: uploadQuery,
    permission: 'manage_building_documents',
    // `id` is the document's, also if the upload became a new version of an existing one.
    object: {
      name: 'StoredDocument',
      schema: z.object({
        id: z.uuid(),
        version: z.number().int(),
        fileName: z.string(),
        /** The number of the version of its file. */
        number: z.number().int(),
      }),
    },
    location: '/documents/{id}',
    reserve(ctx, input, { id, ...file }, within) {
      const { folderId, disciplineId, fileName: _name, ...given } = input;
      const place = placeOf({ folderId, disciplineId }) ?? { at: 'discipline', disciplineId: null };
      const lastModified = ctx.services.clock.now().getTime();
      // The cast: `given` was parsed as `uploadQuery`.
      const upload = { ...given, uploadId: id, place, lastModified } as DocumentUpload;
      return documentUploads.reserve(ctx, upload, file, within);
    },
  },
];
