import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Asset } from '#shared/features/assets/assets.ts';
import { ASSET_FREQUENCY_LABELS, type AssetSort } from '#shared/features/assets/assets.vocabulary.ts';
import { useHighlight } from '../../live/hooks/use-highlight.ts';
import { usePending } from '../../live/hooks/use-pending.ts';
import { cx } from '../../ui/cx.ts';
import { PendingDot } from '../../ui/feedback/pending-dot.tsx';
import { ariaSort, SortButton } from '../../ui/lists/sort-button.tsx';
import type { MoreRows } from '../../ui/lists/use-load-more.ts';
import { ROW_HEIGHT, useTableWindow } from '../../ui/lists/use-table-window.ts';
import { WindowTable } from '../../ui/lists/window-table.tsx';
import { lastVisitText, RetiredBadge, typeText } from './asset-labels.tsx';
import { type AssetActions, AssetMenu } from './asset-menu.tsx';
import { assetPath } from './asset-paths.ts';
import type { AssetsState } from './assets-url.ts';

export type AssetRowsProps = AssetActions &
  MoreRows & {
    rows: readonly Asset[];
    /** Number of matching assets, including those not loaded yet; undefined if not all are counted. */
    total: number | undefined;
    selected: ReadonlySet<string>;
    onSelect: (id: string, on: boolean) => void;
  };
type Props = AssetRowsProps & {
  state: Pick<AssetsState, 'sort' | 'direction'>;
  onSort: (sort: AssetSort) => void;
};

const COLUMNS: readonly { name: string; width: string; sort?: AssetSort }[] = [
  { name: 'Name', width: '', sort: 'name' },
  { name: 'Type', width: 'w-[11.5rem]', sort: 'type' },
  { name: 'Building', width: 'w-[15%]', sort: 'building' },
  { name: 'Floor', width: 'w-[7.5rem]' },
  { name: 'Room', width: 'w-[11%]' },
  { name: 'Quantity', width: 'w-[5rem]' },
  { name: 'Last Visit', width: 'w-[7.25rem]', sort: 'lastVisit' },
  { name: 'Frequency', width: 'w-[7.5rem]' },
];

/** Virtualised table with one row for each asset. */
export function AssetTable(props: Props) {
  const { rows, total, state, onSort, selected, onSelect, onEdit, onDuplicate, onRetire } = props;
  const tableWindow = useTableWindow(props);
  const head = (
    <>
      <th scope="col" className="w-11 pl-3.5">
        <span className="sr-only">Selected</span>
      </th>
      {COLUMNS.map(({ name, width, sort }) => (
        <th
          key={name}
          scope="col"
          className={cx('px-2 font-medium', width)}
          aria-sort={ariaSort(sort, state)}
        >
          {sort === undefined ? name : <SortButton {...{ name, sort, onSort }} order={state} />}
        </th>
      ))}
      <th scope="col" className="w-14">
        <span className="sr-only">Actions</span>
      </th>
    </>
  );
  return (
    <WindowTable caption="Assets" rowCount={total} tableWindow={tableWindow} head={head}>
      {(index) => {
        const asset = rows[index];
        return asset === undefined ? null : (
          <AssetRow
            asset={asset}
            index={index}
            selected={selected.has(asset.id)}
            {...{ onSelect, onEdit, onDuplicate, onRetire }}
          />
        );
      }}
    </WindowTable>
  );
}

type RowProps = AssetActions & {
  asset: Asset;
  index: number;
  selected: boolean;
  onSelect: (id: string, on: boolean) => void;
};
const cell = 'truncate px-2';

const AssetRow = memo(function AssetRow({ asset, index, selected, onSelect, ...actions }: RowProps) {
  const pending = usePending('asset', asset.id);
  const glow = useHighlight('asset', asset.id);
  return (
    <tr
      aria-rowindex={index + 2}
      data-asset={asset.id}
      title={glow === undefined ? undefined : 'Just changed by someone else'}
      style={{ height: ROW_HEIGHT }}
      className={cx(
        'relative border-line border-b text-ink-2 text-sm last:border-b-0 hover:bg-mute has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand has-[a:focus-visible]:-outline-offset-2',
        glow !== undefined && 'bg-brand-soft',
      )}
    >
      <td className="pl-3.5">
        <input
          type="checkbox"
          aria-label={`Select ${asset.name}`}
          checked={selected}
          onChange={(event) => onSelect(asset.id, event.target.checked)}
          className="relative z-[1] block size-4 accent-brand"
        />
      </td>
      <td className={cell}>
        <span className="flex items-center gap-2">
          <Link
            to={assetPath(asset.id)}
            className="block truncate font-medium text-base text-ink outline-none after:absolute after:inset-0"
          >
            {asset.name}
          </Link>
          {asset.retiredAt !== null && <RetiredBadge />}
          {pending && <PendingDot />}
        </span>
      </td>
      <td className={cell}>{typeText(asset)}</td>
      <td className={cell}>{asset.buildingName}</td>
      <td className={cell}>{asset.floorName ?? '—'}</td>
      <td className={cell}>{asset.roomName}</td>
      <td className={cx(cell, 'tabular-nums')}>{asset.quantity}</td>
      <td className={cx(cell, 'tabular-nums')}>{lastVisitText(asset)}</td>
      <td className={cell}>{ASSET_FREQUENCY_LABELS[asset.frequency]}</td>
      <td className="px-1 text-right">
        <AssetMenu asset={asset} {...actions} />
      </td>
    </tr>
  );
});
