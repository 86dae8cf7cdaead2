import type { AssetFilter, AssetOrder } from '#shared/features/assets.ts';
import {
  ASSET_SEARCH_MAX,
  ASSET_SORTS,
  ASSET_STATUSES,
  ASSET_TYPES,
  type AssetSort,
  type AssetStatus,
  type AssetType,
  SORT_DIRECTIONS,
  type SortDirection,
} from '#shared/features/assets.vocabulary.ts';
import { oneOf } from '../../lib/one-of.ts';
import { uuidOrNull } from '../../lib/uuid-or-null.ts';

/** Everything that the asset table shows is in its address. */
export type AssetsState = {
  building: string | null;
  floor: string | null;
  type: AssetType | null;
  status: AssetStatus;
  search: string;
  sort: AssetSort;
  direction: SortDirection;
};

/** Reads the address. Whatever is not one of ours is as if it were absent: an old link still opens. */
export function readAssetsState(params: URLSearchParams): AssetsState {
  const building = uuidOrNull(params.get('building'));
  return {
    building,
    floor: building === null ? null : uuidOrNull(params.get('floor')),
    type: oneOf(ASSET_TYPES, params.get('type')) ?? null,
    status: oneOf(ASSET_STATUSES, params.get('status')) ?? 'active',
    search: (params.get('q') ?? '').slice(0, ASSET_SEARCH_MAX),
    sort: oneOf(ASSET_SORTS, params.get('sort')) ?? 'name',
    direction: oneOf(SORT_DIRECTIONS, params.get('direction')) ?? 'asc',
  };
}

/** The address of a state: defaults are left out, so that the plain page has the plain address. */
export function writeAssetsState(state: AssetsState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.building !== null) params.set('building', state.building);
  if (state.building !== null && state.floor !== null) params.set('floor', state.floor);
  if (state.type !== null) params.set('type', state.type);
  if (state.status !== 'active') params.set('status', state.status);
  if (state.search !== '') params.set('q', state.search);
  if (state.sort !== 'name') params.set('sort', state.sort);
  if (state.direction !== 'asc') params.set('direction', state.direction);
  return params;
}

/** What Clear puts back. */
export const NO_FILTERS = {
  building: null,
  floor: null,
  type: null,
  status: 'active',
  search: '',
} as const satisfies Partial<AssetsState>;

/** How many things narrow the list beside its building and what is searched for. */
export function otherFiltersSet({ floor, type, status }: AssetsState): number {
  return [floor !== null, type !== null, status !== 'active'].filter(Boolean).length;
}

/** True where something narrows the list. */
export function hasFilters(state: AssetsState): boolean {
  return state.building !== null || state.search.trim() !== '' || otherFiltersSet(state) > 0;
}

/** The filter as the server takes it: one spelling per meaning, so that equal filters share one cache entry. */
export function toAssetFilter(state: AssetsState): AssetFilter {
  const search = state.search.trim();
  return {
    ...(state.building === null ? {} : { buildingId: state.building }),
    ...(state.floor === null ? {} : { floorId: state.floor }),
    ...(state.type === null ? {} : { type: state.type }),
    ...(state.status === 'active' ? {} : { status: state.status }),
    ...(search === '' ? {} : { search }),
  };
}

export function toAssetOrder({ sort, direction }: AssetsState): AssetOrder {
  return { sort, direction };
}

/** The same column again turns the order round, a new column starts ascending. */
export function sortedBy(state: AssetsState, sort: AssetSort): Pick<AssetsState, 'sort' | 'direction'> {
  return { sort, direction: state.sort === sort && state.direction === 'asc' ? 'desc' : 'asc' };
}
