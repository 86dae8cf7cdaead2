import { BuildingPicker } from './building-picker.tsx';

const ALL = 'all';

type Props = {
  /** A building, or null for all of them. */
  value: string | null;
  onChange: (buildingId: string | null) => void;
  label?: string;
  /** The option for all buildings. */
  allLabel?: string;
};

/** Picker of a list's filter: all buildings, or one. */
export function BuildingFilter({ value, onChange, label, allLabel = 'All buildings' }: Props) {
  return (
    <BuildingPicker
      block
      label={label}
      first={{ id: ALL, label: allLabel }}
      value={value ?? ALL}
      onChange={(id) => onChange(id === ALL ? null : id)}
    />
  );
}
