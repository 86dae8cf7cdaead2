import { Building2 } from 'lucide-react';
import { useMemo } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { messages } from '#shared/messages.ts';
import { sortByName } from '#shared/text/name-keys.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Picker } from '../../../ui/fields/picker.tsx';
import type { PickerOption } from '../../../ui/fields/picker-props.ts';
import { myBuildings } from './my-buildings.live.ts';

type Props = {
  /** Id of a building, or the id of `first`. */
  value: string | undefined;
  onChange: (id: string) => void;
  /** Option above all buildings: "View All Sites". */
  first?: { id: string; label: string } | undefined;
  placeholder?: string | undefined;
  label?: string | undefined;
  block?: boolean | undefined;
  /** The person's buildings, if the screen already has them, for example from this device's copy. */
  buildings?: readonly BuildingOption[] | undefined;
  align?: 'start' | 'end' | undefined;
};

/** Picker of the person's buildings, with search, for lists of thousands. */
export function BuildingPicker({
  value,
  onChange,
  first,
  placeholder = messages.locations.select,
  label = 'Building',
  block,
  buildings,
  align,
}: Props) {
  const live = useLiveQuery(myBuildings, undefined, { enabled: buildings === undefined });
  const { error, refetch } = live;
  const data = buildings ?? live.data;
  const status = buildings === undefined ? live.status : 'ready';
  const options = useMemo(
    () => [...(first === undefined ? [] : [first]), ...byClient(data ?? [])],
    [first, data],
  );
  return (
    <Picker
      label={label}
      options={options}
      value={value}
      onChange={onChange}
      placeholder={placeholder}
      searchLabel="Search buildings..."
      nothingFound={messages.locations.nothingFound}
      status={status}
      errorText={messageFor(error, messages.locations.loadFailed)}
      onRetry={refetch}
      icon={<Building2 size={16} aria-hidden className={block === true ? undefined : 'max-sm:hidden'} />}
      block={block}
      align={align}
    />
  );
}

/** Groups buildings by client and sorts the clients; the buildings must already be sorted by name. */
export function byClient(places: readonly BuildingOption[]): PickerOption[] {
  const groups = new Map<string, PickerOption[]>();
  for (const { id, name, clientName } of places) {
    const option = { id, label: name, group: clientName };
    const group = groups.get(clientName);
    if (group === undefined) groups.set(clientName, [option]);
    else group.push(option);
  }
  return sortByName(groups, ([client]) => client).flatMap(([, options]) => options);
}
