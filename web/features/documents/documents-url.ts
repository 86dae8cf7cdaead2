import type { DocumentOrder, DocumentPlace } from '#shared/features/documents.ts';
import {
  DOCUMENT_DIRECTIONS,
  DOCUMENT_EXPIRIES,
  DOCUMENT_SEARCH_MAX,
  DOCUMENT_SORTS,
  type DocumentExpiry,
  type DocumentSort,
} from '#shared/features/documents.vocabulary.ts';
import { oneOf } from '../../lib/one-of.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

const VIEWS = ['grid', 'list'] as const;
export type DocumentView = (typeof VIEWS)[number];

/** State of a document browser, as stored in the URL. */
export type DocumentsState = {
  building: string | null;
  /** The opened place; the root of the building shows its disciplines. */
  place: DocumentPlace;
  view: DocumentView;
  search: string;
  expiry: DocumentExpiry;
  /** Shows what was deleted, instead of the place. */
  bin: boolean;
  /** Shows where files are dropped or chosen. */
  upload: boolean;
  /** Id of the document whose preview is open. */
  document: string | null;
} & DocumentOrder;

export const ROOT = { at: 'building' } as const satisfies DocumentPlace;

const VIRTUAL = 'discipline_';
/** Stands for General, which is no discipline of its own (ruling S16). */
const GENERAL_FOLDER = `${VIRTUAL}general`;

/** The name of a place in addresses: the virtual folder of a discipline, or the id of a folder; null for the root. */
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

/** Reads the name of a place; what cannot be read is the root. */
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

/** Reads the state from the URL. Unknown values count as absent, so that old links still open. */
export function readDocumentsState(params: URLSearchParams): DocumentsState {
  const building = uuidOrNull(params.get('building'));
  return {
    building,
    place: building === null ? ROOT : placeOf(params.get('folder')),
    view: oneOf(VIEWS, params.get('view')) ?? 'grid',
    sort: oneOf(DOCUMENT_SORTS, params.get('sort')) ?? 'name',
    direction: oneOf(DOCUMENT_DIRECTIONS, params.get('direction')) ?? 'asc',
    search: (params.get('search') ?? '').slice(0, DOCUMENT_SEARCH_MAX),
    expiry: oneOf(DOCUMENT_EXPIRIES, params.get('expiry')) ?? 'all',
    bin: params.get('show') === 'bin',
    upload: params.get('show') === 'upload',
    document: uuidOrNull(params.get('document')),
  };
}

/**
 * Writes the state to URL parameters without defaults.
 * @param around the parameters of the screen around the browser, which stay
 */
export function writeDocumentsState(
  state: DocumentsState,
  around: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const params = new URLSearchParams(around);
  const folder = folderOf(state.place);
  if (state.building !== null) params.set('building', state.building);
  if (state.building !== null && folder !== null) params.set('folder', folder);
  if (state.view !== 'grid') params.set('view', state.view);
  if (state.sort !== 'name') params.set('sort', state.sort);
  if (state.direction !== 'asc') params.set('direction', state.direction);
  if (state.search !== '') params.set('search', state.search);
  if (state.expiry !== 'all') params.set('expiry', state.expiry);
  if (state.bin) params.set('show', 'bin');
  else if (state.upload) params.set('show', 'upload');
  if (state.document !== null) params.set('document', state.document);
  return params;
}

/** The state in another place: what narrowed the last one is gone. */
export const AT_REST = {
  search: '',
  expiry: 'all',
  bin: false,
  document: null,
} as const satisfies Partial<DocumentsState>;

/** The order after a press on a column: the same one flips, another one begins ascending. */
export function sortedBy(order: DocumentOrder, sort: DocumentSort): DocumentOrder {
  const flips = order.sort === sort && order.direction === 'asc';
  return { sort, direction: flips ? 'desc' : 'asc' };
}
