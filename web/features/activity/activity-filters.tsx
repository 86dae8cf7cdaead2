import { UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { ENTITY_WORDS } from '#shared/features/activity.words.ts';
import { userMessages } from '#shared/features/users-messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { Button } from '../../ui/button.tsx';
import { Picker } from '../../ui/picker.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { BuildingPicker } from '../locations/building-picker.tsx';
import { activityActors } from './activity.live.ts';
import { type ActivityState, isNarrowed } from './activity-url.ts';

const EVERYBODY = { id: 'all', label: 'Everybody' };
const EVERYWHERE = { id: 'all', label: 'All buildings' };
const KINDS = Object.entries(ENTITY_WORDS)
  .map(([value, { many }]) => ({ value, label: `${many.charAt(0).toUpperCase()}${many.slice(1)}` }))
  .sort((a, b) => (a.label < b.label ? -1 : 1));

type Props = { state: ActivityState; onChange: (patch: Partial<ActivityState>) => void };

/** Narrows the record by who, where, what and when. */
export function ActivityFilters({ state, onChange }: Props) {
  const actors = useLiveQuery(activityActors, undefined);
  const people = useMemo(
    () => [EVERYBODY, ...(actors.data ?? []).map(({ id, name }) => ({ id, label: name }))],
    [actors.data],
  );
  const chosen = (id: string) => (id === 'all' ? undefined : id);
  return (
    <div className="flex flex-wrap items-end gap-2.5">
      <div className="w-44 max-sm:w-full">
        <Picker
          block
          label="Person"
          options={people}
          value={state.person ?? EVERYBODY.id}
          onChange={(id) => onChange({ person: chosen(id) })}
          placeholder={EVERYBODY.label}
          searchLabel="Search people..."
          nothingFound={userMessages.noneMatch}
          status={actors.status}
          errorText={messageFor(actors.error, userMessages.fetchFailed)}
          onRetry={actors.refetch}
          icon={<UserRound size={16} aria-hidden />}
        />
      </div>
      <div className="w-52 max-sm:w-full">
        <BuildingPicker
          block
          value={state.building ?? EVERYWHERE.id}
          first={EVERYWHERE}
          onChange={(id) => onChange({ building: chosen(id) })}
        />
      </div>
      <div className="w-40 max-sm:w-full">
        <SelectField
          label="Kind"
          hideLabel
          value={state.kind ?? ''}
          onChange={(event) => onChange({ kind: event.target.value === '' ? undefined : event.target.value })}
        >
          <option value="">Everything</option>
          {KINDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="grid grid-cols-2 gap-2.5 max-sm:w-full [&>*]:min-w-0">
        <TextField
          label="From"
          type="date"
          value={state.from ?? ''}
          max={state.to}
          onChange={(event) => onChange({ from: event.target.value || undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={state.to ?? ''}
          min={state.from}
          onChange={(event) => onChange({ to: event.target.value || undefined })}
        />
      </div>
      {isNarrowed(state) && (
        <Button
          variant="quiet"
          onClick={() =>
            onChange({
              person: undefined,
              building: undefined,
              kind: undefined,
              from: undefined,
              to: undefined,
            })
          }
        >
          Clear
        </Button>
      )}
    </div>
  );
}
