import type { BuildingsChoice } from '#shared/buildings-choice.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SomeBuildings } from './some-buildings.tsx';

/** A form whose fields include these. */
type FormWithBuildings = {
  values: BuildingsChoice;
  errors: Readonly<Record<string, string>>;
  set<Field extends keyof BuildingsChoice>(field: Field, to: BuildingsChoice[Field]): void;
};

/** Form fields to choose between all buildings and some of them. */
export function BuildingsFields({ form }: { form: FormWithBuildings }) {
  const { allBuildings, buildingIds } = form.values;
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
        <SomeBuildings value={buildingIds} onChange={(ids) => form.set('buildingIds', ids)} />
      )}
    </>
  );
}
