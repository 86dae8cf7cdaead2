import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Asset } from '#shared/features/assets/assets.ts';
import { useHighlight } from '../../live/hooks/use-highlight.ts';
import { usePending } from '../../live/hooks/use-pending.ts';
import { cx } from '../../ui/cx.ts';
import { PendingDot } from '../../ui/feedback/pending-dot.tsx';
import { TouchCheckbox } from '../../ui/fields/touch-checkbox.tsx';
import { useLoadMore } from '../../ui/lists/use-load-more.ts';
import { lastVisitText, RetiredBadge, typeText } from './asset-labels.tsx';
import { type AssetActions, AssetMenu } from './asset-menu.tsx';
import { assetPath } from './asset-paths.ts';
import type { AssetRowsProps } from './asset-table.tsx';

const CARD_HEIGHT = 112;

/** The asset list on narrow screens: one card for each asset, virtualised. */
export function AssetCards(props: AssetRowsProps) {
  const { rows, total, selected, onSelect, onEdit, onDuplicate, onRetire } = props;
  const root = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(root.current?.offsetTop ?? 0));
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollMargin: top,
    overscan: 6,
    gap: 8,
  });
  const items = virtualizer.getVirtualItems();
  useLoadMore({ ...props, lastShown: items.at(-1)?.index ?? -1, loaded: rows.length });
  return (
    <ul
      ref={root}
      aria-label={total === undefined ? 'Assets' : `Assets, ${total} in all`}
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {items.map((item) => {
        const asset = rows[item.index];
        return asset === undefined ? null : (
          <li
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className="absolute inset-x-0"
            style={{ top: item.start - top }}
          >
            <AssetCard
              asset={asset}
              selected={selected.has(asset.id)}
              {...{ onSelect, onEdit, onDuplicate, onRetire }}
            />
          </li>
        );
      })}
    </ul>
  );
}

type CardProps = AssetActions & {
  asset: Asset;
  selected: boolean;
  onSelect: (id: string, on: boolean) => void;
};

const AssetCard = memo(function AssetCard({ asset, selected, onSelect, ...actions }: CardProps) {
  const pending = usePending('asset', asset.id);
  const glow = useHighlight('asset', asset.id);
  return (
    <div
      data-asset={asset.id}
      className={cx(
        'relative flex items-start gap-3 rounded-card border bg-surface p-3.5 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-brand',
        glow === undefined ? 'border-line' : 'border-brand',
      )}
    >
      <TouchCheckbox
        className="relative z-[1] -m-2"
        label={`Select ${asset.name}`}
        checked={selected}
        onChange={(on) => onSelect(asset.id, on)}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to={assetPath(asset.id)}
            className="font-semibold text-ink text-md outline-none [overflow-wrap:anywhere] after:absolute after:inset-0"
          >
            {asset.name}
          </Link>
          {asset.retiredAt !== null && <RetiredBadge />}
          {pending && <PendingDot />}
        </p>
        <p className="text-ink-2">{typeText(asset)}</p>
        <p className="text-ink-2 text-sm [overflow-wrap:anywhere]">
          {asset.buildingName}, {asset.location}
        </p>
        <p className="text-ink-2 text-sm tabular-nums">Last visit: {lastVisitText(asset)}</p>
      </div>
      <AssetMenu asset={asset} {...actions} />
    </div>
  );
});
