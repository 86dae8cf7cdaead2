import { Boxes, ChevronDown, QrCode, Upload } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Asset } from '#shared/features/assets/assets.ts';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { formatAtLeast } from '#shared/text/counted.ts';
import { usePermissions } from '../../lib/can.tsx';
import { useStable } from '../../lib/use-stable.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ButtonLink } from '../../ui/buttons/button-link.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { ListStates } from '../../ui/list-states.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { PrintButton } from '../../ui/lists/print-button.tsx';
import { Page } from '../../ui/page.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { useUrlState } from '../../ui/use-url-state.ts';
import { AddAssetForm, type AddedAsset } from './add-asset-form.tsx';
import { AssetCards } from './asset-cards.tsx';
import { AssetFilters } from './asset-filters.tsx';
import { labelsOfFilterPath, labelsPath } from './asset-paths.ts';
import { AssetTable } from './asset-table.tsx';
import { assetCounts, assetList } from './assets.live.ts';
import {
  type AssetsState,
  assetsUrl,
  hasFilters,
  NO_FILTERS,
  sortedBy,
  toAssetFilter,
  toAssetOrder,
} from './assets-url.ts';
import { PrintableAssets } from './printable-assets.tsx';
import { useAssetCommands } from './use-asset-commands.ts';
import { useSelection } from './use-selection.ts';

const EditAssetDialog = lazy(() => import('./edit-asset-dialog.tsx'));

/** Asset Management: adding, filtering and listing assets, with the actions on each. */
export default function AssetsPage() {
  const { can } = usePermissions();
  const { state, change } = useUrlState(assetsUrl);
  const input = useStable({ filter: toAssetFilter(state), order: toAssetOrder(state) });
  const counts = useLiveQuery(assetCounts, input.filter);
  const list = useLiveList(assetList, input);
  const wide = useMedia('(min-width: 80rem)');
  const { duplicate, setRetired } = useAssetCommands();
  const [editing, setEditing] = useState<Asset>();
  const { selected, onSelect, clearSelection } = useSelection();

  const onAdded = useCallback(
    (asset: AddedAsset) => {
      if (asset.buildingId === state.building) return;
      change({ ...NO_FILTERS, building: asset.buildingId, floor: asset.floorId });
    },
    [change, state.building],
  );
  const { matching = list.rows.length, matchingIsLeast = false } = counts.data ?? {};
  const rowProps = {
    ...list,
    total: matchingIsLeast ? undefined : matching,
    selected,
    onSelect,
    onEdit: setEditing,
    onDuplicate: duplicate,
    onRetire: setRetired,
  };

  return (
    <Page
      subtitle={assetMessages.subtitle}
      back={{ to: '/' }}
      actions={
        <>
          {can('create_assets') && (
            <ButtonLink to="/import?kind=assets">
              <Upload size={16} aria-hidden />
              Import
            </ButtonLink>
          )}
          <ExportLink list="assets" filter={input.filter} />
          <PrintButton notOnPhone />
          <LabelActions
            selected={selected}
            state={state}
            onClear={clearSelection}
            any={list.rows.length > 0}
          />
        </>
      }
    >
      {can('create_assets') && (
        <AddCard>
          <AddAssetForm buildingId={state.building} floorId={state.floor} onAdded={onAdded} />
        </AddCard>
      )}
      <div className="mb-3.5 print:hidden">
        <AssetFilters
          state={state}
          onChange={change}
          count={
            counts.data &&
            (matching === counts.data.total && !matchingIsLeast
              ? assetMessages.count(counts.data.total)
              : assetMessages.showing(
                  matchingIsLeast ? formatAtLeast(matching) : matching,
                  counts.data.total,
                ))
          }
        />
      </div>
      <ListStates
        list={list}
        isEmpty={list.rows.length === 0}
        skeleton="h-24 xl:h-11"
        failed={assetMessages.loadFailed}
        none={{
          icon: <Boxes size={20} />,
          title: assetMessages.none,
          text: 'Assets added to your buildings appear here.',
        }}
        narrowed={
          hasFilters(state)
            ? {
                title: assetMessages.noneMatch,
                text: 'Try fewer filters or another search.',
                onClear: () => change(NO_FILTERS),
              }
            : undefined
        }
      >
        <PrintableAssets list={list} state={state} total={rowProps.total}>
          {wide ? (
            <AssetTable {...rowProps} state={state} onSort={(sort) => change(sortedBy(state, sort))} />
          ) : (
            <AssetCards {...rowProps} />
          )}
        </PrintableAssets>
      </ListStates>
      <Suspense fallback={null}>
        {editing !== undefined && (
          <EditAssetDialog id={editing.id} asset={editing} onClose={() => setEditing(undefined)} />
        )}
      </Suspense>
    </Page>
  );
}

/** Expanded on wide screens. Collapsed on a phone, where it would push the list out of sight. */
function AddCard({ children }: { children: React.ReactNode }) {
  const wide = useMedia('(min-width: 768px)');
  const [opened, setOpened] = useState<boolean>();
  const open = opened ?? wide;
  return (
    <Card className="mb-5 print:hidden">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpened(!open)}
          className="flex w-full items-center justify-between rounded-card px-4 py-3 font-semibold text-ink text-md pointer-coarse:min-h-12"
        >
          {assetMessages.addTitle}
          <ChevronDown size={18} aria-hidden className={cx('text-ink-2', open && 'rotate-180')} />
        </button>
      </h2>
      {open && <div className="px-4 pb-4">{children}</div>}
    </Card>
  );
}

type LabelProps = {
  selected: ReadonlySet<string>;
  state: AssetsState;
  onClear: () => void;
  any: boolean;
};

function LabelActions({ selected, state, onClear, any }: LabelProps) {
  const some = selected.size > 0;
  if (!some && !any) return null;
  return (
    <>
      {some && (
        <Button variant="quiet" onClick={onClear}>
          Clear selection
        </Button>
      )}
      <ButtonLink to={some ? labelsPath([...selected]) : labelsOfFilterPath(state)}>
        <QrCode size={16} aria-hidden />
        {some ? `QR labels (${selected.size})` : 'QR labels'}
      </ButtonLink>
    </>
  );
}
