import { useMemo } from 'react';
import { LocationAccess } from './location-access.tsx';

type Props = { value: readonly string[]; onChange: (buildingIds: readonly string[]) => void };

/** Form field that selects some of the buildings. */
export function SomeBuildings({ value, onChange }: Props) {
  const granted = useMemo(() => new Set(value), [value]);
  return (
    <LocationAccess
      granted={granted}
      onChange={(ids, grant) => {
        const next = new Set(granted);
        for (const id of ids) grant ? next.add(id) : next.delete(id);
        onChange([...next]);
      }}
    />
  );
}
