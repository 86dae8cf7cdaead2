import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messageFor } from '../../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../../live/hooks/use-live-query.ts';
import { Picker } from '../../../ui/fields/picker.tsx';
import { allClients } from '../places.live.ts';

type Props = { value: string | undefined; onChange: (id: string) => void };

/** Picker of all clients. */
export function ClientPicker({ value, onChange }: Props) {
  const { data, status, error, refetch } = useLiveQuery(allClients, undefined);
  return (
    <Picker
      block
      label="Client"
      options={(data ?? []).map(({ id, name }) => ({ id, label: name }))}
      value={value}
      onChange={onChange}
      placeholder="Select a client"
      searchLabel="Search clients..."
      nothingFound={data?.length === 0 ? placeMessages.noClients : placeMessages.noClientMatches}
      status={status}
      errorText={messageFor(error, placeMessages.clientsFailed)}
      onRetry={refetch}
    />
  );
}
