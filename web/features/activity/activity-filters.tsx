import { UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { ENTITY_LABELS } from '#shared/features/activity/activity.vocabulary.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { capitalise } from '#shared/text/capitalise.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { Picker } from '../../ui/fields/picker.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FilterBar, FoldedFilters } from '../../ui/lists/folded-filters.tsx';
import { BuildingFilter } from '../locations/pickers/building-filter.tsx';
import { activityActors } from './activity.live.ts';
import { type ActivityState, activityUrl, hasFilters, otherFiltersSet } from './activity-url.ts';

const EVERYONE = { id: 'all', label: 'Everyone' };
const KINDS = [
  { value: null, label: 'Everything' },
  ...Object.entries(ENTITY_LABELS)
    .map(([value, { many }]) => ({ value, label: capitalise(many) }))
    .sort((a, b) => (a.label < b.label ? -1 : 1)),
];

type Props = { state: ActivityState; onChange: (patch: Partial<ActivityState>) => void };

/** Filters of the activity list: person, building, kind and days. */
export function ActivityFilters({ state, onChange }: Props) {
  const actors = useLiveQuery(activityActors, undefined);
  const people = useMemo(
    () => [EVERYONE, ...(actors.data ?? []).map(({ id, name }) => ({ id, label: name }))],
    [actors.data],
  );
  return (
    <FilterBar>
      <div className="min-w-0 sm:w-44">
        <Picker
          block
          label="Person"
          options={people}
          value={state.person ?? EVERYONE.id}
          onChange={(id) => onChange({ person: id === EVERYONE.id ? null : id })}
          placeholder={EVERYONE.label}
          searchLabel="Search people..."
          nothingFound={userMessages.noneMatch}
          status={actors.status}
          errorText={messageFor(actors.error, userMessages.fetchFailed)}
          onRetry={actors.refetch}
          icon={<UserRound size={16} aria-hidden />}
        />
      </div>
      <FoldedFilters
        chosen={otherFiltersSet(state)}
        onClear={hasFilters(state) ? () => onChange(activityUrl.defaults) : undefined}
      >
        <div className="max-sm:col-span-2 sm:w-52">
          <BuildingFilter value={state.building} onChange={(building) => onChange({ building })} />
        </div>
        <FilterSelect
          label="Kind"
          className="max-sm:col-span-2 sm:w-40"
          options={KINDS}
          value={state.kind}
          onChange={(kind) => onChange({ kind })}
        />
        <DayField
          label="From"
          value={state.from}
          max={state.to ?? undefined}
          onChange={(from) => onChange({ from })}
        />
        <DayField
          label="To"
          value={state.to}
          min={state.from ?? undefined}
          onChange={(to) => onChange({ to })}
        />
      </FoldedFilters>
    </FilterBar>
  );
}

type DayProps = {
  label: string;
  value: string | null;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string | null) => void;
};

/** Date field with its label in front, as high as the filters beside it. */
function DayField({ label, value, onChange, ...bounds }: DayProps) {
  return (
    <div className="flex items-center gap-2 max-sm:col-span-2 [&>:last-child]:min-w-0 [&>:last-child]:flex-1">
      <span className="text-ink-2 text-sm max-sm:w-10" aria-hidden>
        {label}
      </span>
      <TextField
        label={label}
        hideLabel
        type="date"
        value={value ?? ''}
        {...bounds}
        onChange={({ target }) => onChange(target.value || null)}
      />
    </div>
  );
}
