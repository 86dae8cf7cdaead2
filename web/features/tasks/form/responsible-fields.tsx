import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { responsibleOptions } from './responsible-options.ts';

type TextProps = {
  name: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  error: string | undefined;
  maxLength: number | undefined;
};
type Props = {
  /** Undefined until a location is chosen. */
  buildingId: string | undefined;
  text: TextProps;
  textHint?: ReactNode | undefined;
  person: string | null;
  personError: string | undefined;
  personHint?: ReactNode | undefined;
  /** Called with the person's id and name; the name fills the text if the text is empty. */
  onPerson: (id: string | null, name: string) => void;
  disabled: boolean;
};

/**
 * Fields for the responsible person: any text, with suggestions, and optionally a colleague with access to the building
 * (ruling T26).
 */
export function ResponsibleFields({
  buildingId,
  text,
  textHint = taskMessages.responsibleHint,
  person,
  personError,
  personHint = taskMessages.colleagueHint,
  onPerson,
  disabled,
}: Props) {
  const listId = useId();
  const { data } = useQuery({ ...responsibleOptions(buildingId), enabled: buildingId !== undefined });
  const people = data?.people ?? [];
  const suggested = [...new Set([...(data?.names ?? []), ...people.map(({ name }) => name)])];
  // Without a connection there is no list, but the chosen person stays chosen.
  const isListed = person === null || people.some(({ id }) => id === person);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <div>
        <TextField
          label="Responsible Person"
          autoComplete="off"
          list={listId}
          hint={textHint}
          disabled={disabled}
          {...text}
        />
        <datalist id={listId}>
          {suggested.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <SelectField
        label="Colleague (optional)"
        name="responsibleId"
        value={person ?? ''}
        error={personError}
        hint={personHint}
        disabled={disabled || buildingId === undefined}
        onChange={({ target }) => {
          const chosen = people.find(({ id }) => id === target.value);
          onPerson(chosen?.id ?? null, chosen?.name ?? '');
        }}
      >
        <option value="">No one in particular</option>
        {!isListed && <option value={person ?? ''}>As chosen</option>}
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
