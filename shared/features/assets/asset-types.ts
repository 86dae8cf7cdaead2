import { nameKey } from '../../text/name-keys.ts';
import type { Asset } from './assets.ts';
import { type AssetType, DEFAULT_OUTLET_KIND, type OutletKind } from './assets.vocabulary.ts';

// The type and the outlet kind of an asset for checks. This file does not load the validation library.

/** Parts of names that show the type of an asset that was added before there were types. */
const NAMED_TYPES: readonly (readonly [part: string, type: AssetType])[] = [
  ['emergency light', 'emergency_light'],
  ['water outlet', 'water_outlet'],
];

/** The type of an asset; for the general type `asset`, the type that its name suggests. */
export function effectiveType({ type, name }: Pick<Asset, 'type' | 'name'>): AssetType {
  if (type !== 'asset') return type;
  const key = nameKey(name);
  return NAMED_TYPES.find(([part]) => key.includes(part))?.[1] ?? 'asset';
}

/** The kind as which a water outlet is checked; null for any other asset. */
export function outletKindOf(asset: Pick<Asset, 'type' | 'name' | 'outletKind'>): OutletKind | null {
  return effectiveType(asset) === 'water_outlet' ? (asset.outletKind ?? DEFAULT_OUTLET_KIND) : null;
}

/** True for an unclassified outlet whose name contains "hot": its kind should be checked by a person. */
export function mayBeHot(asset: Pick<Asset, 'type' | 'name' | 'outletKind'>): boolean {
  if (asset.outletKind !== null || effectiveType(asset) !== 'water_outlet') return false;
  return /\bhot\b/i.test(asset.name);
}
