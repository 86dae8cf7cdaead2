import { type ComponentProps, useId } from 'react';
import { sortByName } from '#shared/text/name-keys.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useTaskList } from '../kept-lists.ts';

type Props = Omit<ComponentProps<typeof TextField>, 'label'> & {
  /** Undefined until a location is chosen. */
  buildingId: string | undefined;
};

/** The compliance system, with the location's systems as suggestions, because lists group tasks by its first word. */
export function SystemField({ buildingId, ...rest }: Props) {
  const listId = useId();
  return (
    <div>
      <TextField label="Compliance System" autoComplete="off" list={listId} {...rest} />
      {buildingId !== undefined && <Suggestions id={listId} buildingId={buildingId} />}
    </div>
  );
}

function Suggestions({ id, buildingId }: { id: string; buildingId: string }) {
  const { value } = useTaskList({ buildingId, retired: false });
  const systems = new Set(value?.tasks.map(({ complianceSystem }) => complianceSystem));
  return (
    <datalist id={id}>
      {sortByName(systems, (system) => system).map((system) => (
        <option key={system} value={system} />
      ))}
    </datalist>
  );
}
