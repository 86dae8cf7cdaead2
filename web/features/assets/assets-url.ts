import type { AssetFilter, AssetOrder } from '#shared/features/assets/assets.ts';
import {
  ASSET_SEARCH_MAX,
  ASSET_SORTS,
  ASSET_STATUSES,
  ASSET_TYPES,
  type AssetSort,
  SORT_DIRECTIONS,
} from '#shared/features/assets/assets.vocabulary.ts';
import { choice, defineUrlState, id, type StateOf, text } from '../../lib/url-state.ts';

/** Filters and order of the asset table, as stored in the URL. The floor belongs to the selected building. */
export const assetsUrl = defineUrlState(
  {
    building: id('building'),
    floor: id('floor'),
    type: choice('type', ASSET_TYPES, null),
    status: choice('status', ASSET_STATUSES, 'active'),
    search: text('q', ASSET_SEARCH_MAX),
    sort: choice('sort', ASSET_SORTS, 'name'),
    direction: choice('direction', SORT_DIRECTIONS, 'asc'),
  },
  (state) => (state.building === null ? { ...state, floor: null } : state),
);
export type AssetsState = StateOf<typeof assetsUrl>;

/** The state after "Clear Filters". */
export const NO_FILTERS = assetsUrl.defaultsOf(['building', 'floor', 'type', 'status', 'search']);

/** Counts the filters in use besides building and search. */
export function otherFiltersSet(state: AssetsState): number {
  return assetsUrl.countChanged(state, ['floor', 'type', 'status']);
}

/** Returns whether any filter is in use. */
export function hasFilters(state: AssetsState): boolean {
  return assetsUrl.countChanged(state, ['building', 'search']) > 0 || otherFiltersSet(state) > 0;
}

/** Converts the state to the server's filter, in canonical form, so that equal filters share one cache entry. */
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

/** Converts the state to the server's order. */
export function toAssetOrder({ sort, direction }: AssetsState): AssetOrder {
  return { sort, direction };
}

/**
 * Returns the order after a click on a column: the active column reverses its direction, another one starts ascending.
 */
export function sortedBy(state: AssetsState, sort: AssetSort): Pick<AssetsState, 'sort' | 'direction'> {
  return { sort, direction: state.sort === sort && state.direction === 'asc' ? 'desc' : 'asc' };
}
