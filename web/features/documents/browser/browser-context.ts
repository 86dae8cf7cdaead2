import { createContext, useContext } from 'react';
import type { DisciplineContents, Document } from '#shared/features/documents/documents.ts';
import type { DocumentItem, Item } from '../items.ts';
import type { DocumentDrag } from './use-document-drag.ts';

/** A dialog about documents. */
export type DocumentDialog =
  | { what: 'newFolder' }
  | { what: 'rename' | 'details'; document: Document }
  | { what: 'move' | 'delete'; documents: readonly Document[] };

/** State and actions that the rows of a browser share. */
export type DocumentBrowserValue = {
  buildingId: string;
  /** Whether the person may change documents in the opened place. */
  canManage: boolean;
  /** Today's date for the organisation, by which expiry is judged; undefined until it is known. */
  today: string | undefined;
  /** Whether rows of several disciplines are listed, so that each row names its discipline. */
  isAcross: boolean;
  disciplineOf: (disciplineId: string | null) => DisciplineContents | undefined;
  hrefOf: (item: Item) => string;
  /** Opens a place, or the preview of a file. */
  open: (item: Item) => void;
  ask: (dialog: DocumentDialog) => void;
  download: (documents: readonly Document[]) => void;
  /** Opens the place that contains a document found by a search. */
  showInPlace: ((document: Document) => void) | undefined;
  toggle: (item: DocumentItem, on: boolean) => void;
  /** Click with Ctrl (or Command): adds or removes the row. With Shift (`upTo`): selects all rows up to this row. */
  extend: (item: DocumentItem, upTo: boolean) => void;
  selected: ReadonlySet<string>;
  /** Returns all selected documents if this document is one of them, else this document alone. */
  chosenWith: (item: DocumentItem) => readonly Document[];
  drag: DocumentDrag;
};

export const BrowserContext = createContext<DocumentBrowserValue | undefined>(undefined);

export function useBrowser(): DocumentBrowserValue {
  const browser = useContext(BrowserContext);
  if (browser === undefined) throw new Error('useBrowser needs a DocumentBrowser above it');
  return browser;
}

/** Whether a document may be changed. A certificate may not, because it belongs to the record of a completion. */
export function isChangeable({ proof }: Document): boolean {
  return proof === null;
}
