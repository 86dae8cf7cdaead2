import { useEffect } from 'react';
import { highestFirst } from '#shared/floors.ts';
import { messages } from '#shared/messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { useLiveQuery } from '../../live/use-live-query.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { buildingFloors } from '../locations/places.live.ts';

type Props = {
  label: string;
  hideLabel?: boolean;
  /** Without one there is nothing to choose from. */
  buildingId: string | undefined;
  value: string | null;
  /** The floor that is stored, which may have gone to the archive since: it is named all the same. */
  stored?: { id: string | null; name: string | null };
  onChange: (floorId: string | null) => void;
  /** What no choice is called. */
  none: string;
  error?: string | undefined;
  hint?: React.ReactNode;
  disabled?: boolean;
  name?: string;
};

/** Chooses a floor of a building, highest first as a house stands. */
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
    if (failed) toast({ title: messages.locations.floorsFetchFailed, text: why, tone: 'destructive' });
  }, [failed, why]);
  const options = chosen ? (floors.data?.floors ?? []).toSorted(highestFirst) : [];
  // A floor that is not among them (any more, or yet) stays what is chosen.
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
            {messages.locations.floorsFetchFailed}. {messages.common.tryAgain}
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
