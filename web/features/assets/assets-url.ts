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

/** Filters and order of the asset table, as stored in the URL. */
export type AssetsState = {
  building: string | null;
  floor: string | null;
  type: AssetType | null;
  status: AssetStatus;
  search: string;
  sort: AssetSort;
  direction: SortDirection;
};

/** Reads the state from the URL. Unknown values count as absent, so that old links still open. */
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

/** Writes the state to URL parameters without defaults, so that the unfiltered page has no query string. */
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

/** The state after "Clear Filters". */
export const NO_FILTERS = {
  building: null,
  floor: null,
  type: null,
  status: 'active',
  search: '',
} as const satisfies Partial<AssetsState>;

/** Counts the filters in use besides building and search. */
export function otherFiltersSet({ floor, type, status }: AssetsState): number {
  return [floor !== null, type !== null, status !== 'active'].filter(Boolean).length;
}

/** Returns whether any filter is in use. */
export function hasFilters(state: AssetsState): boolean {
  return state.building !== null || state.search.trim() !== '' || otherFiltersSet(state) > 0;
}

/** Returns the filter as the server takes it, in canonical form, so that equal filters share one cache entry. */
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

/** Returns the order as the server takes it. */
export function toAssetOrder({ sort, direction }: AssetsState): AssetOrder {
  return { sort, direction };
}

/**
 * Returns the order after a click on a column: the active column reverses its direction, another one starts ascending.
 */
export function sortedBy(state: AssetsState, sort: AssetSort): Pick<AssetsState, 'sort' | 'direction'> {
  return { sort, direction: state.sort === sort && state.direction === 'asc' ? 'desc' : 'asc' };
}
