import { Building2 } from 'lucide-react';
import { useMemo } from 'react';
import type { BuildingOption } from '#shared/features/locations/locations.ts';
import { messages } from '#shared/messages.ts';
import { Picker } from '../../../ui/fields/picker.tsx';
import { byClient } from './building-picker.tsx';

type Props = {
  buildings: readonly BuildingOption[];
  value: string | undefined;
  onChange: (id: string) => void;
  disabled?: boolean | undefined;
  invalid?: boolean | undefined;
};

/** Picker of a location for forms that also work without a connection; its buildings are already loaded. */
export function LocationPicker({ buildings, value, onChange, disabled, invalid }: Props) {
  const options = useMemo(() => byClient(buildings), [buildings]);
  return (
    <Picker
      block
      label="Location"
      options={options}
      value={value}
      onChange={onChange}
      placeholder={messages.locations.select}
      searchLabel="Search buildings..."
      nothingFound={messages.locations.nothingFound}
      icon={<Building2 size={16} aria-hidden />}
      disabled={disabled}
      invalid={invalid}
    />
  );
}
