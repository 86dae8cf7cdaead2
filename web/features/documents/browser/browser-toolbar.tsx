import { ArrowDown, ArrowUp, CloudUpload, FolderPlus, Grid2x2, Rows3, Trash2 } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import {
  DOCUMENT_EXPIRIES,
  DOCUMENT_EXPIRY_LABELS,
  DOCUMENT_SEARCH_MAX,
  DOCUMENT_SORT_LABELS,
  DOCUMENT_SORTS,
} from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { preloadDialog } from '../../../ui/dialogs/dialog.tsx';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { Options, SelectField } from '../../../ui/fields/select-field.tsx';
import { FilterBar, FoldedFilters } from '../../../ui/lists/folded-filters.tsx';
import { PrintButton } from '../../../ui/lists/print-button.tsx';
import { type DocumentsState, type DocumentView, sortedBy } from '../documents-url.ts';
import type { ChangeDocumentsState } from '../use-documents-state.ts';

const VIEWS: readonly { value: DocumentView; label: string; icon: ReactNode }[] = [
  { value: 'grid', label: 'Grid', icon: <Grid2x2 size={15} aria-hidden /> },
  { value: 'list', label: 'List', icon: <Rows3 size={15} aria-hidden /> },
];

type Props = {
  state: DocumentsState;
  change: ChangeDocumentsState;
  searchRef: Ref<HTMLInputElement>;
  /** Undefined where documents cannot be changed. */
  manage: { isUploading: boolean; onUpload: () => void; onNewFolder: () => void } | undefined;
};

/** Search, filter, order and view; New Folder, upload and the bin for people who may manage documents. */
export function BrowserToolbar({ state, change, searchRef, manage }: Props) {
  // The bin has only one order and no grid view.
  const isBin = manage !== undefined && state.bin;
  const isNarrowed = state.search !== '' || state.expiry !== 'all';
  return (
    <div className="flex flex-wrap items-center gap-2.5 print:hidden max-sm:*:w-full">
      <FilterBar>
        <SearchField
          ref={searchRef}
          label={documentMessages.searchPlaceholder}
          value={state.search}
          onChange={(search) => change({ search, bin: false }, { replace: true })}
          maxLength={DOCUMENT_SEARCH_MAX}
          className="sm:w-60"
        />
        <FoldedFilters
          chosen={state.expiry === 'all' ? 0 : 1}
          onClear={isNarrowed ? () => change({ search: '', expiry: 'all' }) : undefined}
        >
          <div className="sm:w-40">
            <SelectField
              label="Filter by expiry"
              hideLabel
              value={state.expiry}
              onChange={({ target }) =>
                change({
                  expiry: DOCUMENT_EXPIRIES.find((each) => each === target.value) ?? 'all',
                  bin: false,
                })
              }
            >
              <Options values={DOCUMENT_EXPIRIES} labels={DOCUMENT_EXPIRY_LABELS} />
            </SelectField>
          </div>
          {!isBin && (
            <span className={cx('contents', state.view === 'list' && 'md:hidden')}>
              <SortMenu state={state} change={change} />
            </span>
          )}
        </FoldedFilters>
      </FilterBar>
      <div className="flex flex-wrap items-center gap-2.5 sm:ml-auto">
        {!isBin && (
          <SegmentedControl
            label="View"
            value={state.view}
            options={VIEWS}
            onChange={(view) => change({ view })}
            iconsOnPhone
          />
        )}
        {!isBin && <PrintButton iconOnly notOnPhone />}
        {manage !== undefined && (
          <>
            <Button
              aria-pressed={state.bin}
              title={browserMessages.bin}
              onClick={() => change({ bin: !state.bin })}
              className="aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand"
            >
              <Trash2 size={16} aria-hidden />
              <span className="max-sm:sr-only">{browserMessages.bin}</span>
            </Button>
            <Button
              aria-pressed={manage.isUploading}
              title="Upload"
              onClick={manage.onUpload}
              className="aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand"
            >
              <CloudUpload size={16} aria-hidden />
              <span className="max-sm:sr-only">Upload</span>
            </Button>
            <Button
              variant="primary"
              onClick={manage.onNewFolder}
              onPointerEnter={preloadDialog}
              className="max-sm:grow max-sm:pointer-coarse:px-2"
            >
              <FolderPlus size={16} aria-hidden className="max-sm:hidden" />
              New Folder
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** Menu of the order, for the grid and for phones, which have no column headers to click. */
function SortMenu({ state, change }: Pick<Props, 'state' | 'change'>) {
  const Arrow = state.direction === 'asc' ? ArrowUp : ArrowDown;
  const inWords = state.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <Menu
      label={`Sort by ${DOCUMENT_SORT_LABELS[state.sort]}, ${inWords}`}
      align="start"
      buttonClassName="inline-flex h-9 min-w-0 items-center justify-center gap-2 rounded-control border border-line-2 bg-surface px-3.5 font-medium text-ink hover:bg-mute pointer-coarse:h-12"
      button={
        <>
          <Arrow size={16} aria-hidden />
          <span className="truncate">{DOCUMENT_SORT_LABELS[state.sort]}</span>
        </>
      }
      groups={[
        DOCUMENT_SORTS.map((sort) => ({
          key: sort,
          label: DOCUMENT_SORT_LABELS[sort],
          checked: sort === state.sort,
          onSelect: () => change(sortedBy(state, sort)),
        })),
      ]}
    />
  );
}
