import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { isNarrowed } from '#shared/features/documents/document-filter.ts';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { DOCUMENT_EXPIRY_LABELS } from '#shared/features/documents/documents.vocabulary.ts';
import { CopyAge } from '../../ui/feedback/copy-age.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useSearchShortcut } from '../../ui/lists/use-search-shortcut.ts';
import { useMyBuildings } from '../locations/pickers/use-my-buildings.ts';
import { Breadcrumb, type Crumb } from './browser/breadcrumb.tsx';
import { BrowserContext, type DocumentDialog } from './browser/browser-context.ts';
import { BrowserToolbar } from './browser/browser-toolbar.tsx';
import { useColumns } from './browser/document-grid.tsx';
import { DocumentSelectionBar } from './browser/document-selection-bar.tsx';
import { PlaceView } from './browser/place-view.tsx';
import { useBreadcrumb } from './browser/use-breadcrumb.ts';
import { useBrowserActions, useHrefOfPlace } from './browser/use-browser-actions.ts';
import { useDocumentDrag } from './browser/use-document-drag.ts';
import { useHiddenRows, withoutHidden } from './browser/use-hidden-rows.ts';
import { useItemKeys } from './browser/use-item-keys.ts';
import { isDocument, useItemSelection } from './browser/use-item-selection.ts';
import { useLastLoaded } from './data/use-last-loaded.ts';
import { placeAbove, useDocumentRoot, usePlace } from './data/use-place.ts';
import { DocumentDialogs } from './dialogs/document-dialogs.tsx';
import { DocumentBin } from './document-bin.tsx';
import { folderOf, IN_NEW_PLACE, sortedBy } from './documents-url.ts';
import { OpenedPreview } from './opened-preview.tsx';
import { uploadTargetsIn } from './upload-targets.ts';
import type { DocumentsNavigation } from './use-documents-state.ts';
import { useSelectionCommands } from './use-selection-commands.ts';

const UploadZone = lazy(() => import('./upload/upload-zone.tsx'));

const BIN: readonly Crumb[] = [{ key: 'bin', name: browserMessages.bin, place: { at: 'building' } }];

type Props = {
  buildingId: string;
  navigation: DocumentsNavigation;
  /** Whether documents may be changed here; false on the page for all readers (ruling S12). */
  canManage: boolean;
};

/** The documents of a building: disciplines, and in them folders and files. */
export function DocumentBrowser({ buildingId, navigation, canManage }: Props) {
  const { state, change, close } = navigation;
  const { place } = state;
  const root = useDocumentRoot(buildingId);
  const live = usePlace(buildingId, state, root);
  const contents = useLastLoaded(live, folderOf(place));
  const way = useBreadcrumb(place, live.trail, root.value);
  const [dialog, setDialog] = useState<DocumentDialog>();
  const search = useRef<HTMLInputElement>(null);
  useSearchShortcut(search);
  const columns = useColumns();
  const narrowed = isNarrowed(state);

  const { leaving, leave, comeBack } = useHiddenRows();
  const items = useMemo(() => withoutHidden(contents.items, leaving), [contents.items, leaving]);
  const hidden = contents.items.length - items.length;
  const { totalIsLeast } = contents;
  const total =
    contents.total === undefined ? items.length : totalIsLeast ? contents.total : contents.total - hidden;

  const { move, remove, restore } = useSelectionCommands(buildingId, { leave, comeBack });
  const selection = useItemSelection(items, `${buildingId} ${folderOf(place)}`);
  const { documents: selected, clear } = selection;
  const onMove = useCallback(
    (documents: readonly Document[], to: DocumentPlace) => {
      clear();
      void move(documents, to);
    },
    [clear, move],
  );
  const drag = useDocumentDrag({ enabled: canManage, here: narrowed ? undefined : place, onMove });
  const hrefOfPlace = useHrefOfPlace(navigation);
  const browser = useBrowserActions({
    ...{ buildingId, canManage, root: root.value, navigation, isNarrowed: narrowed, selection, drag },
    ask: setDialog,
  });

  const above = placeAbove(place, live.trail);
  const scroller = useRef<((index: number) => void) | null>(null);
  const keys = useItemKeys({
    items,
    columns: state.view === 'grid' ? columns : 1,
    scroller,
    selected,
    canManage,
    onUp:
      above &&
      (() => {
        keys.focusNext(folderOf(place) ?? 'first');
        change({ ...IN_NEW_PLACE, place: above });
      }),
    onToggle: (item) => isDocument(item) && selection.toggle(item, !selection.selected.has(item.id)),
    onExtend: (item) => isDocument(item) && selection.extend(item, true),
    onSelectAll: selection.selectAll,
    onClear: clear,
    onRename: (document) => setDialog({ what: 'rename', document }),
    onDelete: (documents) => setDialog({ what: 'delete', documents }),
  });
  const isBin = canManage && state.bin;
  const buildingName = useMyBuildings().value?.find(({ id }) => id === buildingId)?.name;
  const filters = [
    ...[buildingName ?? '', ...way.names],
    state.search.trim() === '' ? '' : `“${state.search.trim()}”`,
    state.expiry === 'all' ? '' : DOCUMENT_EXPIRY_LABELS[state.expiry],
  ];
  const isUploading = canManage && state.upload && !isBin;
  const leaveBin = () => isBin && change({ bin: false });
  const uploadTargets = useMemo(() => uploadTargetsIn(root.value), [root.value]);

  return (
    <BrowserContext value={browser}>
      <BrowserToolbar
        state={state}
        change={change}
        searchRef={search}
        manage={
          canManage
            ? {
                isUploading,
                onUpload: () => change({ upload: !isUploading, bin: false }),
                onNewFolder: () => {
                  leaveBin();
                  setDialog({ what: 'newFolder' });
                },
              }
            : undefined
        }
      />
      <div className="mt-3 mb-2.5 print:hidden flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <Breadcrumb way={isBin ? BIN : way.crumbs} hrefOf={hrefOfPlace} />
        {!isBin && contents.status === 'ready' && (
          <p role="status" className="text-ink-2 text-sm tabular-nums">
            {browserMessages.count(total, totalIsLeast)}
          </p>
        )}
      </div>
      {isUploading && (
        <div className="mb-3">
          <Suspense fallback={<Skeleton className="h-44 rounded-card" />}>
            <UploadZone buildingId={buildingId} place={place} disciplines={uploadTargets} />
          </Suspense>
        </div>
      )}
      <CopyAge keptAt={contents.keptAt} note={narrowed ? browserMessages.keptSearch : undefined} />
      {isBin ? (
        <DocumentBin buildingId={buildingId} onRestore={restore} />
      ) : (
        <PlaceView
          {...{ contents, keys, items, columns, scroller }}
          total={totalIsLeast ? undefined : total}
          view={state.view}
          isOutdated={contents !== live}
          order={state}
          onSort={(sort) => change(sortedBy(state, sort))}
          filters={filters}
          rootHref={hrefOfPlace({ at: 'building' })}
          onClear={narrowed ? () => change({ search: '', expiry: 'all' }) : undefined}
        />
      )}
      {!isBin && selected.length > 0 && <DocumentSelectionBar documents={selected} onClear={clear} />}
      {state.document !== null && (
        <OpenedPreview
          id={state.document}
          items={items}
          onMove={(document) => change({ document }, { replace: true })}
          onClose={close}
        />
      )}
      <DocumentDialogs
        dialog={dialog}
        items={contents.items}
        here={{ place, trail: live.trail, names: way.names, discipline: way.discipline }}
        onMove={onMove}
        onRemove={(documents) => {
          clear();
          void remove(documents);
        }}
        onClose={() => setDialog(undefined)}
      />
    </BrowserContext>
  );
}
