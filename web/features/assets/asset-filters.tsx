import type { ReactNode } from 'react';
import {
  ASSET_STATUS_LABELS,
  ASSET_STATUSES,
  ASSET_TYPE_LABELS,
  ASSET_TYPES,
} from '#shared/features/assets/assets.vocabulary.ts';
import { FilterSelect, optionsOf, optionsWithAll } from '../../ui/fields/filter-select.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { FilterBar, FoldedFilters } from '../../ui/lists/folded-filters.tsx';
import { BuildingFilter } from '../locations/pickers/building-filter.tsx';
import { type AssetsState, hasFilters, NO_FILTERS, otherFiltersSet } from './assets-url.ts';
import { FloorSelect } from './floor-select.tsx';

type Props = {
  state: AssetsState;
  onChange: (patch: Partial<AssetsState>, options?: { replace?: boolean }) => void;
  count: ReactNode;
};

const TYPES = optionsWithAll('All types', ASSET_TYPES, ASSET_TYPE_LABELS);
const STATUSES = optionsOf(ASSET_STATUSES, ASSET_STATUS_LABELS);

/** Filters of the asset list. Selecting another building clears the floor. */
export function AssetFilters({ state, onChange, count }: Props) {
  return (
    <FilterBar count={count}>
      <div className="col-span-2 sm:w-64">
        <BuildingFilter
          label="Filter by building"
          value={state.building}
          onChange={(building) => onChange({ building, floor: null })}
        />
      </div>
      <SearchField
        label="Search assets..."
        value={state.search}
        onChange={(search) => onChange({ search }, { replace: true })}
        maxLength={100}
        className="sm:w-60"
      />
      <FoldedFilters
        chosen={otherFiltersSet(state)}
        onClear={hasFilters(state) ? () => onChange(NO_FILTERS) : undefined}
      >
        <div className="sm:w-40">
          <FloorSelect
            label="Filter by floor"
            hideLabel
            none="All floors"
            buildingId={state.building ?? undefined}
            value={state.floor}
            onChange={(floor) => onChange({ floor })}
          />
        </div>
        <FilterSelect
          label="Filter by type"
          className="sm:w-40"
          options={TYPES}
          value={state.type}
          onChange={(type) => onChange({ type })}
        />
        <FilterSelect
          label="Filter by state"
          className="sm:w-32"
          options={STATUSES}
          value={state.status}
          onChange={(status) => onChange({ status })}
        />
      </FoldedFilters>
    </FilterBar>
  );
}
