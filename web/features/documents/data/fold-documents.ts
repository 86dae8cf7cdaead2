import {
  compareDocuments,
  matchesDocumentFilter,
  matchesExpiry,
} from '#shared/features/documents/document-filter.ts';
import type {
  DisciplineContents,
  Document,
  DocumentCursor,
  DocumentOrder,
  DocumentPage,
  DocumentPlace,
  DocumentRoot,
  FolderTrail,
} from '#shared/features/documents/documents.ts';
import type { DocumentExpiry } from '#shared/features/documents/documents.vocabulary.ts';
import type { ListContext } from '../../../live/list.ts';
import type { LiveChange } from '../../../live/types.ts';

/** The filter and order of a list of documents. */
export type DocumentListInput = {
  buildingId: string;
  place: DocumentPlace;
  search: string;
  expiry: DocumentExpiry;
  foldersOnly: boolean;
} & DocumentOrder;

type Change = LiveChange<'document' | 'discipline'>;

/** Applies a change to the loaded part of a list. */
export function foldDocumentList(
  page: DocumentPage,
  event: Change,
  { input, change }: ListContext<DocumentListInput, DocumentPage>,
): DocumentPage | 'refetch' {
  // The search covers the names of disciplines, which the rows do not carry.
  if (event.entity === 'discipline') return input.search.trim() === '' ? page : 'refetch';
  const words = { today: page.today, disciplineName: () => undefined };
  return change(page, event, (row) => {
    if (matchesDocumentFilter(input, row, words)) return true;
    // The search may match the name of the row's discipline, which only the server knows.
    const isOut = input.search.trim() === '' || !isBelow(input.place, row);
    return isOut || row.deletedAt !== null ? false : 'refetch';
  });
}

function isBelow(place: DocumentPlace, { disciplineId, folderPath }: Document): boolean {
  if (place.at === 'building') return true;
  return place.at === 'folder' ? folderPath.includes(place.folderId) : disciplineId === place.disciplineId;
}

/**
 * Compares a document with a cursor. A cursor contains the sort key of a name; used as a name, the key has itself as its
 * sort key, so both compare correctly.
 */
export function compareToCursor(
  order: DocumentOrder,
  row: Document,
  { isFolder, keys, id }: DocumentCursor,
): number {
  const [first = '', name = first] = keys;
  return compareDocuments(order, row, {
    id,
    isFolder,
    fileName: name,
    modifiedAt: first,
    fileSize: order.sort === 'size' ? Number(first) : null,
  });
}

/**
 * Applies a change to the counts of a building's disciplines. There are no rows beside the counts, so the row before the
 * change is rebuilt from the event.
 */
export function foldDocumentRoot(
  root: DocumentRoot,
  event: Change,
  buildingId: string,
): DocumentRoot | 'refetch' {
  // The event of a deletion has no row; a discipline may appear, disappear or change its name.
  if (event.op === 'del' || event.entity === 'discipline') return 'refetch';
  const { row, changes, version } = event;
  if (row.buildingId !== buildingId) return root;
  // Versions of overlays end in .5, so an overlay that adds a folder has a version below 1.
  const isNew = version <= 1;
  if (!isNew && (changes === null || Object.keys(changes).some((field) => !WITH_EARLIER_VALUE.has(field))))
    return 'refetch';
  const before = isNew || changes === null ? null : rowBefore(row, changes);
  const disciplines = [-1 as const, 1 as const].reduce<readonly DisciplineContents[] | undefined>(
    (all, sign) => all && counted(all, sign === 1 ? row : before, sign, root.today),
    root.disciplines,
  );
  if (disciplines === undefined) return 'refetch';
  return disciplines === root.disciplines ? root : { ...root, disciplines: [...disciplines] };
}

/** The fields whose earlier value an event carries. For a move or a new version it only reports that it happened. */
const WITH_EARLIER_VALUE: ReadonlySet<string> = new Set([
  'fileName',
  'description',
  'folderColor',
  'expiresOn',
  'deletedAt',
] satisfies (keyof Document)[]);

/** Returns the disciplines with one row added to or removed from the counts; undefined where only the server knows them. */
function counted(
  disciplines: readonly DisciplineContents[],
  row: Document | null,
  sign: 1 | -1,
  today: string,
): readonly DisciplineContents[] | undefined {
  if (row === null || row.deletedAt !== null) return disciplines;
  const at = disciplines.findIndex(({ disciplineId }) => disciplineId === row.disciplineId);
  const held = disciplines[at];
  if (held === undefined) return undefined;
  const isDue = (expiry: DocumentExpiry) => Number(!row.isFolder && matchesExpiry(expiry, row, today));
  const next = {
    ...held,
    files: held.files + sign * Number(!row.isFolder),
    folders: held.folders + sign * Number(row.isFolder),
    bytes: held.bytes + sign * (row.fileSize ?? 0),
    expired: held.expired + sign * isDue('expired'),
    expiresSoon: held.expiresSoon + sign * isDue('expires_soon'),
  };
  // "General" and inactive disciplines are listed only while they contain something.
  const isLeaving = next.files + next.folders === 0 && (held.disciplineId === null || !held.isActive);
  return isLeaving ? disciplines.toSpliced(at, 1) : disciplines.with(at, next);
}

function rowBefore(row: Document, changes: Record<string, [from: unknown, to: unknown]>): Document {
  const before = Object.fromEntries(Object.entries(changes).map(([field, [from]]) => [field, from]));
  // The cast: the server writes the earlier value of the same field as `from`, which the compiler cannot know.
  return { ...row, ...(before as Partial<Document>) };
}

/** Applies a change to the path to a folder. */
export function foldTrail(trail: FolderTrail, event: Change): FolderTrail | 'refetch' {
  const at = trail.folders.findIndex(({ id }) => id === event.entityId);
  const held = trail.folders[at];
  if (held === undefined || event.entity === 'discipline') return trail;
  if (event.op === 'del' || event.row.deletedAt !== null) return 'refetch';
  const { fileName, folderColor, disciplineId, folderPath } = event.row;
  const above = trail.folders.slice(0, at).map(({ id }) => id);
  if (disciplineId !== trail.disciplineId || folderPath.join() !== above.join()) return 'refetch';
  if (held.fileName === fileName && held.folderColor === folderColor) return trail;
  return { ...trail, folders: trail.folders.with(at, { ...held, fileName, folderColor }) };
}
