import { useCallback, useMemo } from 'react';
import type { Document, DocumentPlace, DocumentRoot } from '#shared/features/documents/documents.ts';
import { findDiscipline } from '../data/use-place.ts';
import { IN_NEW_PLACE } from '../documents-url.ts';
import { downloadDocuments } from '../download.ts';
import { containerOf, type Item, placeOfItem } from '../items.ts';
import type { DocumentsNavigation } from '../use-documents-state.ts';
import type { DocumentBrowserValue, DocumentDialog } from './browser-context.ts';
import type { DocumentDrag } from './use-document-drag.ts';
import type { useItemSelection } from './use-item-selection.ts';

type Options = {
  buildingId: string;
  canManage: boolean;
  root: DocumentRoot | undefined;
  navigation: DocumentsNavigation;
  /** Whether documents of several places are listed. */
  isNarrowed: boolean;
  selection: ReturnType<typeof useItemSelection>;
  drag: DocumentDrag;
  ask: (dialog: DocumentDialog) => void;
};

/** Returns the URL of a place, without the search, filter, bin and preview of the present URL. */
export function useHrefOfPlace({ hrefOf }: DocumentsNavigation): (to: DocumentPlace) => string {
  return useCallback((to: DocumentPlace) => hrefOf({ ...IN_NEW_PLACE, place: to }), [hrefOf]);
}

/** Returns the context that all rows share; the same object until one of its values changes. */
export function useBrowserActions(options: Options): DocumentBrowserValue {
  const { buildingId, canManage, root, navigation, isNarrowed, drag, ask } = options;
  const { change, open, hrefOf } = navigation;
  const { toggle, extend, selected, documents: chosen } = options.selection;
  const isAcross = navigation.state.place.at === 'building';
  const hrefOfPlace = useHrefOfPlace(navigation);
  const openItem = useCallback(
    (item: Item) => {
      const to = placeOfItem(item);
      if (to === undefined) open(item.id);
      else change({ ...IN_NEW_PLACE, place: to });
    },
    [open, change],
  );
  return useMemo(
    (): DocumentBrowserValue => ({
      buildingId,
      canManage,
      today: root?.today,
      isAcross,
      disciplineOf: (id) => findDiscipline(root, id),
      hrefOf: (item) => {
        const to = placeOfItem(item);
        return to === undefined ? hrefOf({ document: item.id }) : hrefOfPlace(to);
      },
      open: openItem,
      ask,
      download: (documents) => void downloadDocuments(documents),
      showInPlace: isNarrowed
        ? (document: Document) => change({ ...IN_NEW_PLACE, place: containerOf(document) })
        : undefined,
      toggle,
      extend,
      selected,
      chosenWith: (item) => (selected.has(item.id) ? chosen : [item.document]),
      drag,
    }),
    [
      buildingId,
      canManage,
      root,
      hrefOf,
      hrefOfPlace,
      openItem,
      ask,
      isNarrowed,
      isAcross,
      change,
      toggle,
      extend,
      selected,
      chosen,
      drag,
    ],
  );
}
