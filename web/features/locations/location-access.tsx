import { Check, Plus } from 'lucide-react';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { userMessages } from '#shared/features/users/users-messages.ts';
import { messages } from '#shared/messages.ts';
import { searchKey, sortByName } from '#shared/text/name-keys.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { AccessWindow } from './access-window.tsx';
import { myBuildings } from './pickers/my-buildings.live.ts';

type Props = {
  granted: ReadonlySet<string>;
  onChange: (buildingIds: string[], granted: boolean) => void;
};

/** Minimum number of buildings for which a search and a filter by client are shown. */
const MANY_FROM = 20;
const AT_FIRST = 8;
const NONE: readonly BuildingOption[] = [];
const ANY_CLIENT = '';

/**
 * Buttons that grant or revoke access to each building. Granted buildings come first; the others are found by search or
 * "Show all".
 */
export function LocationAccess({ granted, onChange }: Props) {
  const { data = NONE } = useLiveQuery(myBuildings, undefined);
  const [search, setSearch] = useState('');
  const [client, setClient] = useState(ANY_CLIENT);
  const [all, setAll] = useState(false);
  const needle = useDeferredValue(searchKey(search));
  const id = useId();
  // The order is fixed when the card opens: a button must not move when it is pressed.
  const [firstGranted] = useState(granted);
  const many = data.length >= MANY_FROM;
  const found = useMemo(() => {
    const matching = data.filter(
      (place) =>
        (client === ANY_CLIENT || place.clientName === client) &&
        (needle === '' || textOf(place).includes(needle)),
    );
    if (!many) return matching;
    return [
      ...matching.filter((place) => firstGranted.has(place.id)),
      ...matching.filter((place) => !firstGranted.has(place.id)),
    ];
  }, [data, client, needle, many, firstGranted]);
  const toggle = (place: BuildingOption) => onChange([place.id], !granted.has(place.id));
  const inWindow = all || client !== ANY_CLIENT;
  const grantedHere = useMemo(() => data.filter((place) => granted.has(place.id)).length, [data, granted]);

  return (
    <fieldset aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-2">
      <h3 id={id} className="font-medium text-sm">
        Location Access{' '}
        <span className="font-normal text-ink-2 tabular-nums">
          {grantedHere} of {data.length}
        </span>
      </h3>
      {many && (
        <div className="grid gap-2 sm:grid-cols-2">
          <SearchField label="Search buildings..." value={search} onChange={setSearch} />
          <ClientPicker places={data} value={client} onChange={setClient} />
        </div>
      )}
      {data.length > 1 && needle === '' && (
        <GrantAll
          of={client === ANY_CLIENT ? userMessages.allBuildings : userMessages.allOfClient}
          places={client === ANY_CLIENT ? data : data.filter((place) => place.clientName === client)}
          granted={granted}
          onChange={onChange}
        />
      )}
      {inWindow && found.length > AT_FIRST ? (
        <AccessWindow places={found}>
          {(place) => (
            <AccessButton place={place} granted={granted.has(place.id)} onToggle={() => toggle(place)} wide />
          )}
        </AccessWindow>
      ) : (
        <div className="flex flex-wrap gap-1.5">
          {found.slice(0, many ? AT_FIRST : MANY_FROM).map((place) => (
            <AccessButton
              key={place.id}
              place={place}
              granted={granted.has(place.id)}
              onToggle={() => toggle(place)}
            />
          ))}
          {many && found.length > AT_FIRST && (
            <Button size="sm" variant="quiet" onClick={() => setAll(true)}>
              Show all ({found.length})
            </Button>
          )}
          {data.length > 0 && found.length === 0 && (
            <p className="text-ink-2 text-sm">{messages.locations.nothingFound}</p>
          )}
        </div>
      )}
    </fieldset>
  );
}

function ClientPicker({
  places,
  value,
  onChange,
}: {
  places: readonly BuildingOption[];
  value: string;
  onChange: (client: string) => void;
}) {
  const options = useMemo(() => {
    const names = sortByName(new Set(places.map((place) => place.clientName)), (name) => name);
    return [{ id: ANY_CLIENT, label: 'All clients' }, ...names.map((name) => ({ id: name, label: name }))];
  }, [places]);
  return (
    <Picker
      label="Client"
      options={options}
      value={value}
      onChange={onChange}
      placeholder="All clients"
      searchLabel="Search clients..."
      nothingFound={placeMessages.noClientMatches}
      block
    />
  );
}

/** Buttons that grant or revoke all buildings, or all buildings of a client. */
function GrantAll({
  of,
  places,
  granted,
  onChange,
}: Pick<Props, 'granted' | 'onChange'> & { of: string; places: readonly BuildingOption[] }) {
  const ids = places.map((place) => place.id);
  const missing = ids.filter((id) => !granted.has(id));
  const held = ids.filter((id) => granted.has(id));
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" disabled={missing.length === 0} onClick={() => onChange(missing, true)}>
        Grant {of} ({missing.length})
      </Button>
      <Button size="sm" variant="quiet" disabled={held.length === 0} onClick={() => onChange(held, false)}>
        Revoke all ({held.length})
      </Button>
    </div>
  );
}

function AccessButton({
  place,
  granted,
  onToggle,
  wide = false,
}: {
  place: BuildingOption;
  granted: boolean;
  onToggle: () => void;
  wide?: boolean;
}) {
  return (
    <button
      type="button"
      aria-pressed={granted}
      title={place.clientName}
      onClick={onToggle}
      className={cx(
        'inline-flex min-h-[30px] max-w-full items-center gap-1.5 rounded-full border px-2.5 font-medium text-sm transition-colors pointer-coarse:min-h-12 pointer-coarse:px-4',
        granted ? 'border-ok bg-ok-soft text-ok' : 'border-line-2 bg-surface text-ink-2 hover:text-ink',
        wide && 'w-full',
      )}
    >
      {granted ? (
        <Check size={14} aria-hidden className="shrink-0" />
      ) : (
        <Plus size={14} aria-hidden className="shrink-0" />
      )}
      <span className="truncate">{place.name}</span>
    </button>
  );
}

function textOf(place: BuildingOption): string {
  return searchKey(`${place.name}\n${place.clientName}`);
}
