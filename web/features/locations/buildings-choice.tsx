import { useMemo } from 'react';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { LocationAccess } from './location-access.tsx';

type Props = {
  allBuildings: boolean;
  buildingIds: readonly string[];
  error: string | undefined;
  onAll: (all: boolean) => void;
  onBuildings: (ids: string[]) => void;
};

/** The fields of a form for all buildings, or some of them. */
export function BuildingsChoice({ allBuildings, buildingIds, error, onAll, onBuildings }: Props) {
  const granted = useMemo(() => new Set(buildingIds), [buildingIds]);
  return (
    <>
      <SelectField
        label="Buildings"
        name="buildingIds"
        value={allBuildings ? 'all' : 'some'}
        onChange={({ target }) => onAll(target.value === 'all')}
        error={error}
      >
        <option value="all">All buildings, including those added later</option>
        <option value="some">Only these</option>
      </SelectField>
      {!allBuildings && (
        <LocationAccess
          granted={granted}
          onChange={(ids, grant) => {
            const next = new Set(granted);
            for (const id of ids) grant ? next.add(id) : next.delete(id);
            onBuildings([...next]);
          }}
        />
      )}
    </>
  );
}
