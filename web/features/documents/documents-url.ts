import type { DocumentOrder, DocumentPlace } from '#shared/features/documents/documents.ts';
import {
  DOCUMENT_DIRECTIONS,
  DOCUMENT_EXPIRIES,
  DOCUMENT_SEARCH_MAX,
  DOCUMENT_SORTS,
  type DocumentSort,
} from '#shared/features/documents/documents.vocabulary.ts';
import { choice, defineUrlState, flag, id, type StateOf, text, type UrlValue } from '../../lib/url-state.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

export const ROOT = { at: 'building' } as const satisfies DocumentPlace;

const VIRTUAL = 'discipline_';
/** The URL name of General, which is not a discipline and has no id (ruling S16). */
const GENERAL_FOLDER = `${VIRTUAL}general`;

/** Returns the name of a place in URLs: the virtual folder of a discipline, or the id of a folder; null for the root. */
export function folderOf(place: DocumentPlace): string | null {
  switch (place.at) {
    case 'building':
      return null;
    case 'discipline':
      return place.disciplineId === null ? GENERAL_FOLDER : `${VIRTUAL}${place.disciplineId}`;
    case 'folder':
      return place.folderId;
  }
}

/** Parses the name of a place; returns the root for an invalid name. */
export function placeOf(folder: string | null): DocumentPlace {
  if (folder === null) return ROOT;
  if (folder === GENERAL_FOLDER) return { at: 'discipline', disciplineId: null };
  if (folder.startsWith(VIRTUAL)) {
    const disciplineId = uuidOrNull(folder.slice(VIRTUAL.length));
    return disciplineId === null ? ROOT : { at: 'discipline', disciplineId };
  }
  const folderId = uuidOrNull(folder);
  return folderId === null ? ROOT : { at: 'folder', folderId };
}

export function isSamePlace(a: DocumentPlace, b: DocumentPlace): boolean {
  return folderOf(a) === folderOf(b);
}

const VIEWS = ['grid', 'list'] as const;
export type DocumentView = (typeof VIEWS)[number];

/** The opened place; the root of the building shows its disciplines. */
const folder: UrlValue<DocumentPlace> = {
  name: 'folder',
  fallback: ROOT,
  parse: placeOf,
  format: (place) => folderOf(place) ?? '',
};

/** State of a document browser, as stored in the URL. The place belongs to the selected building. */
export const documentsUrl = defineUrlState(
  {
    building: id('building'),
    place: folder,
    view: choice('view', VIEWS, 'grid'),
    sort: choice('sort', DOCUMENT_SORTS, 'name'),
    direction: choice('direction', DOCUMENT_DIRECTIONS, 'asc'),
    search: text('search', DOCUMENT_SEARCH_MAX),
    expiry: choice('expiry', DOCUMENT_EXPIRIES, 'all'),
    /** Shows the bin instead of the place. */
    bin: flag('show', 'bin'),
    /** Shows the upload zone. */
    upload: flag('show', 'upload'),
    /** The document whose preview is open. */
    document: id('document'),
  },
  (state) => (state.building === null ? { ...state, place: ROOT } : state),
);
export type DocumentsState = StateOf<typeof documentsUrl>;

/** Default values that replace the present ones when the place changes. */
export const IN_NEW_PLACE = documentsUrl.defaultsOf(['search', 'expiry', 'bin', 'document']);

/** Returns the order after a click on a column: the active column reverses its direction, another one starts ascending. */
export function sortedBy(order: DocumentOrder, sort: DocumentSort): DocumentOrder {
  const flips = order.sort === sort && order.direction === 'asc';
  return { sort, direction: flips ? 'desc' : 'asc' };
}
