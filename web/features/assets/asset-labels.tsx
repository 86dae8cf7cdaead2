import { formatDay } from '#shared/dates.ts';
import { effectiveType, outletKindOf } from '#shared/features/assets/asset-types.ts';
import type { Asset } from '#shared/features/assets/assets.ts';
import { ASSET_TYPE_LABELS, OUTLET_KIND_LABELS } from '#shared/features/assets/assets.vocabulary.ts';
import { Badge } from '../../ui/feedback/badge.tsx';

/** Formats type and outlet kind: "Water Outlet, hot". */
export function typeText(asset: Pick<Asset, 'type' | 'name' | 'outletKind'>): string {
  const kind = outletKindOf(asset);
  const type = ASSET_TYPE_LABELS[effectiveType(asset)];
  return kind === null ? type : `${type}, ${OUTLET_KIND_LABELS[kind].toLowerCase()}`;
}

/** Formats the day of the last visit, or "Never". */
export function lastVisitText({ lastVisitDate }: Pick<Asset, 'lastVisitDate'>): string {
  return lastVisitDate === null ? 'Never' : formatDay(lastVisitDate);
}

/** Badge of a retired asset. */
export function RetiredBadge() {
  return <Badge tone="neutral">Retired</Badge>;
}
