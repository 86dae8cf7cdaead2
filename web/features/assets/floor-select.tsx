import { useEffect } from 'react';
import { highestFirst } from '#shared/features/locations/floors.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { buildingFloors } from '../locations/places.live.ts';

type Props = {
  label: string;
  hideLabel?: boolean;
  /** The select is disabled without a building. */
  buildingId: string | undefined;
  value: string | null;
  /** The stored floor, with its name, because an archived floor is not in the fetched list. */
  stored?: { id: string | null; name: string | null };
  onChange: (floorId: string | null) => void;
  /** Label of the empty option. */
  none: string;
  error?: string | undefined;
  hint?: React.ReactNode;
  disabled?: boolean;
  name?: string;
};

/** Select of a building's floors, highest first. */
export function FloorSelect({
  buildingId,
  value,
  stored,
  onChange,
  none,
  disabled = false,
  hint,
  ...field
}: Props) {
  const chosen = buildingId !== undefined;
  const floors = useLiveQuery(buildingFloors, { buildingId: buildingId ?? '' }, { enabled: chosen });
  const failed = chosen && floors.status === 'error';
  const why = messageFor(floors.error, messages.common.notReached);
  useEffect(() => {
    if (failed) toast({ title: placeMessages.floorsFetchFailed, text: why, tone: 'destructive' });
  }, [failed, why]);
  const options = chosen ? (floors.data?.floors ?? []).toSorted(highestFirst) : [];
  // A value that is not among the options gets its own option, so that it stays selected.
  const unknown = value !== null && !options.some(({ id }) => id === value);
  const unnamed =
    stored?.id === value && stored?.name != null
      ? stored.name
      : floors.status === 'ready'
        ? 'Another floor'
        : '…';
  return (
    <SelectField
      {...field}
      disabled={disabled || !chosen}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      hint={
        failed ? (
          <button type="button" className="underline" onClick={floors.refetch}>
            {placeMessages.floorsFetchFailed}. {messages.common.tryAgain}
          </button>
        ) : (
          hint
        )
      }
    >
      <option value="">{none}</option>
      {unknown && <option value={value}>{unnamed}</option>}
      {options.map((floor) => (
        <option key={floor.id} value={floor.id}>
          {floor.name}
        </option>
      ))}
    </SelectField>
  );
}
