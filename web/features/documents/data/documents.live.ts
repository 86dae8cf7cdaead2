import { endOfDay } from '#shared/dates.ts';
import { compareDocuments } from '#shared/features/documents/document-filter.ts';
import type {
  Document,
  DocumentBinPage,
  DocumentDetails,
  DocumentPage,
  DocumentRoot,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import { DOCUMENT_PAGE_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { api } from '../../../lib/trpc/trpc.ts';
import { defineLiveList } from '../../../live/list.ts';
import { changeRows } from '../../../live/list-rows.ts';
import { defineLiveQuery } from '../../../live/types.ts';
import {
  compareToCursor,
  type DocumentListInput,
  foldDocumentList,
  foldDocumentRoot,
  foldTrail,
} from './fold-documents.ts';

/** The disciplines of a building with their names and the counts of their contents. */
export const documentRoot = defineLiveQuery<{ buildingId: string }, DocumentRoot, 'document' | 'discipline'>({
  name: 'documents.root',
  entities: ['document', 'discipline'],
  fetch: (input, { signal }) => api.documents.root.query(input, { signal }),
  apply: (root, event, { input }) => foldDocumentRoot(root, event, input.buildingId),
  changesAt: ({ today }) => midnightAfter(today),
});

/**
 * The documents directly in a discipline or folder. With a search or filter, or for a whole building: the documents at
 * all depths below.
 */
export const documentList = defineLiveList<DocumentListInput, DocumentPage, 'document' | 'discipline'>({
  name: 'documents.list',
  entities: ['document', 'discipline'],
  pageSize: 100,
  maxPageSize: DOCUMENT_PAGE_MAX,
  fetchPage: (input, page, options) => api.documents.list.query({ ...input, ...page }, options),
  compare: (row, other, order) =>
    'keys' in other ? compareToCursor(order, row, other) : compareDocuments(order, row, other),
  apply: foldDocumentList,
  buildingOf: (document) => document.buildingId,
  changesAt: ({ today }) => midnightAfter(today),
});

/** The path to a folder; refused while the folder is deleted. */
export const folderTrail = defineLiveQuery<{ folderId: string }, FolderTrail, 'document'>({
  name: 'documents.path',
  entities: ['document'],
  fetch: (input, { signal }) => api.documents.path.query(input, { signal }),
  apply: (trail, event) => foldTrail(trail, event),
});

/** One document with its versions. */
export const oneDocument = defineLiveQuery<{ id: string }, DocumentDetails, 'document'>({
  name: 'documents.byId',
  entities: ['document'],
  fetch: (input, { signal }) => api.documents.byId.query(input, { signal }),
  apply(details, event, { input }) {
    const { document } = details;
    if (event.entityId !== input.id || document.version >= event.version) return details;
    if (event.op === 'del' || event.row.currentVersion !== document.currentVersion) return 'refetch';
    return { ...details, document: event.row };
  },
});

/** The certificates of a task's completions, newest first. */
export const taskCertificates = defineLiveQuery<{ taskId: string }, Document[], 'document'>({
  name: 'documents.ofTask',
  entities: ['document'],
  fetch: (input, { signal }) => api.documents.ofTask.query(input, { signal }),
  apply: (rows, event, { input }) =>
    changeRows(rows, event, ({ proof }) => proof?.taskId === input.taskId, lastFirst),
  lose: (rows, lost) => rows.filter(({ buildingId }) => !lost(buildingId)),
});

function lastFirst(a: Document, b: Document): number {
  if (a.uploadedAt !== b.uploadedAt) return a.uploadedAt < b.uploadedAt ? 1 : -1;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** The bin of a building, most recently deleted first. */
export const documentBin = defineLiveList<{ buildingId: string }, DocumentBinPage, 'document'>({
  name: 'documents.bin',
  entities: ['document'],
  pageSize: 50,
  maxPageSize: DOCUMENT_PAGE_MAX,
  fetchPage: (input, page, options) => api.documents.bin.query({ ...input, ...page }, options),
  compare: (row, other) => {
    const [left, right] = [row.deletedAt ?? '', other.deletedAt ?? ''];
    if (left !== right) return left < right ? 1 : -1;
    return row.id < other.id ? 1 : row.id > other.id ? -1 : 0;
  },
  apply(page, event, { input }) {
    if (event.op === 'del') return 'refetch';
    const { row, changes } = event;
    const concerns = row.buildingId === input.buildingId && changes !== null && 'deletedAt' in changes;
    return concerns ? 'refetch' : page;
  },
  buildingOf: (document) => document.buildingId,
});

/** Returns the time at which the organisation's day ends; documents may expire then. */
function midnightAfter(day: string): string {
  return new Date(endOfDay(day)).toISOString();
}
