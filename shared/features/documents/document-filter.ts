import { addDays } from '../../dates.ts';
import { compareCodePoints, sortKey } from '../../text/name-keys.ts';
import { isFoundIn, wantedText } from '../../text/search-text.ts';
import type { Document, DocumentOrder, DocumentPlace } from './documents.ts';
import { type DocumentExpiry, EXPIRES_SOON_DAYS, GENERAL } from './documents.vocabulary.ts';

// The filter and order of the document list, for a browser that applies events to a cached list. The server expresses
// the same in SQL, and a test compares the two. This file does not load the validation library.

/** The filter of a list of documents. */
export type DocumentFilter = {
  buildingId: string;
  place: DocumentPlace;
  search: string;
  expiry: DocumentExpiry;
  foldersOnly: boolean;
};

type Filtered = Pick<
  Document,
  | 'buildingId'
  | 'parentFolderId'
  | 'folderPath'
  | 'disciplineId'
  | 'isFolder'
  | 'fileName'
  | 'expiresOn'
  | 'deletedAt'
>;

/** Whether a list is narrowed by a search or an expiry filter. */
export function isNarrowed({ search, expiry }: Pick<DocumentFilter, 'search' | 'expiry'>): boolean {
  return search.trim() !== '' || expiry !== 'all';
}

/** Whether a list shows everything below its place, not only what is directly in it. */
export function isDeep(filter: Pick<DocumentFilter, 'place' | 'search' | 'expiry'>): boolean {
  return filter.place.at === 'building' || isNarrowed(filter);
}

/**
 * Whether a document belongs to a list with this filter.
 * @param options.disciplineName the present name of a discipline, which the search covers too
 * @param options.today the organisation's day
 */
export function matchesDocumentFilter(
  filter: DocumentFilter,
  document: Filtered,
  options: { disciplineName(id: string): string | undefined; today: string },
): boolean {
  if (document.deletedAt !== null || document.buildingId !== filter.buildingId.toLowerCase()) return false;
  if (filter.foldersOnly && !document.isFolder) return false;
  if (!isIn(filter, document)) return false;
  if (!matchesExpiry(filter.expiry, document, options.today)) return false;
  const wanted = wantedText(filter.search);
  if (wanted === '') return true;
  const { disciplineId, fileName } = document;
  const discipline = disciplineId === null ? GENERAL : (options.disciplineName(disciplineId) ?? '');
  return [fileName, discipline].some((text) => isFoundIn(text, wanted));
}

function isIn(filter: DocumentFilter, document: Filtered): boolean {
  const { place } = filter;
  const deep = isDeep(filter);
  switch (place.at) {
    case 'building':
      return true;
    case 'discipline':
      return (
        document.disciplineId === (place.disciplineId?.toLowerCase() ?? null) &&
        (deep || document.parentFolderId === null)
      );
    case 'folder': {
      const folderId = place.folderId.toLowerCase();
      return deep ? document.folderPath.includes(folderId) : document.parentFolderId === folderId;
    }
  }
}

/** Whether a document's expiry matches the filter, on the organisation's day. */
export function matchesExpiry(
  expiry: DocumentExpiry,
  { expiresOn }: Pick<Document, 'expiresOn'>,
  today: string,
): boolean {
  if (expiry === 'all') return true;
  if (expiresOn === null) return false;
  switch (expiry) {
    case 'has_expiry':
      return true;
    case 'expired':
      return expiresOn < today;
    case 'expires_soon':
      return expiresOn >= today && expiresOn <= addDays(today, EXPIRES_SOON_DAYS);
  }
}

type Ordered = Pick<Document, 'id' | 'isFolder' | 'fileName' | 'modifiedAt' | 'fileSize'>;

/** Compares two documents by the order of a list: folders first, then the chosen sort key, then name and id. */
export function compareDocuments({ sort, direction }: DocumentOrder, a: Ordered, b: Ordered): number {
  if (a.isFolder !== b.isFolder) return a.isFolder ? -1 : 1;
  const sign = direction === 'asc' ? 1 : -1;
  const first = compareFirst(sort, a, b);
  if (first !== 0) return sign * first;
  const byName = compareCodePoints(sortKey(a.fileName), sortKey(b.fileName));
  return sign * (byName !== 0 ? byName : compareCodePoints(a.id, b.id));
}

function compareFirst(sort: DocumentOrder['sort'], a: Ordered, b: Ordered): number {
  switch (sort) {
    case 'name':
      return 0;
    case 'modified':
      return compareCodePoints(a.modifiedAt, b.modifiedAt);
    case 'size':
      return (a.fileSize ?? 0) - (b.fileSize ?? 0);
  }
}
