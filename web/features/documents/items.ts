import { compareDocuments } from '#shared/features/documents/document-filter.ts';
import type {
  DisciplineContents,
  Document,
  DocumentOrder,
  DocumentPlace,
} from '#shared/features/documents/documents.ts';
import { GENERAL } from '#shared/features/documents/documents.vocabulary.ts';
import { folderOf } from './documents-url.ts';

/** The virtual folder of a discipline. */
export type DisciplineItem = DisciplineContents & {
  kind: 'discipline';
  /** The name of the folder in URLs. */
  id: string;
  name: string;
  place: DocumentPlace;
};
export type DocumentItem = {
  kind: 'folder' | 'file';
  id: string;
  name: string;
  document: Document;
};
/** A row of the browser. */
export type Item = DisciplineItem | DocumentItem;

export function disciplineName({ name }: Pick<DisciplineContents, 'name'>): string {
  return name ?? GENERAL;
}

/** Returns the disciplines as folders, sorted. They have no modification date, so the order by date sorts them by name. */
export function disciplineItems(
  disciplines: readonly DisciplineContents[],
  order: DocumentOrder,
): DisciplineItem[] {
  const items = disciplines.map((contents): DisciplineItem => {
    const place: DocumentPlace = { at: 'discipline', disciplineId: contents.disciplineId };
    return {
      ...contents,
      kind: 'discipline',
      id: folderOf(place) ?? '',
      name: disciplineName(contents),
      place,
    };
  });
  const asRow = ({ id, name, bytes }: DisciplineItem) => ({
    id,
    fileName: name,
    isFolder: true,
    modifiedAt: '',
    fileSize: bytes,
  });
  return items.sort((a, b) => compareDocuments(order, asRow(a), asRow(b)));
}

/** Cache of the item of each document: an unchanged document keeps its item, and its row is not rendered again. */
const itemOf = new WeakMap<Document, DocumentItem>();

export function documentItem(document: Document): DocumentItem {
  const known = itemOf.get(document);
  if (known !== undefined) return known;
  const { id, fileName: name, isFolder } = document;
  const item: DocumentItem = { kind: isFolder ? 'folder' : 'file', id, name, document };
  itemOf.set(document, item);
  return item;
}

/** Returns the place that an item opens; undefined for a file. */
export function placeOfItem(item: Item): DocumentPlace | undefined {
  if (item.kind === 'discipline') return item.place;
  return item.kind === 'folder' ? { at: 'folder', folderId: item.id } : undefined;
}

/** Returns the place that directly contains a document: a folder, or the top of its discipline. */
export function containerOf({
  parentFolderId,
  disciplineId,
}: Pick<Document, 'parentFolderId' | 'disciplineId'>): DocumentPlace {
  return parentFolderId === null
    ? { at: 'discipline', disciplineId }
    : { at: 'folder', folderId: parentFolderId };
}
