import { useMemo } from 'react';
import type { BuildingsChoice } from '#shared/buildings-choice.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { LocationAccess } from './location-access.tsx';

/** A form that has these fields among others. */
type FormWithBuildings = {
  values: BuildingsChoice;
  errors: Readonly<Record<string, string>>;
  set<Field extends keyof BuildingsChoice>(field: Field, to: BuildingsChoice[Field]): void;
};

/** The fields of a form for all buildings, or some of them. */
export function BuildingsFields({ form }: { form: FormWithBuildings }) {
  const { allBuildings, buildingIds } = form.values;
  const granted = useMemo(() => new Set(buildingIds), [buildingIds]);
  return (
    <>
      <SelectField
        label="Buildings"
        name="buildingIds"
        value={allBuildings ? 'all' : 'some'}
        onChange={({ target }) => form.set('allBuildings', target.value === 'all')}
        error={form.errors['buildingIds']}
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
            form.set('buildingIds', [...next]);
          }}
        />
      )}
    </>
  );
}
