import { useQuery } from '@tanstack/react-query';
import type { DependentCounts, PlaceKind } from '#shared/features/locations/locations.ts';
import { DEPENDENT_LABELS } from '#shared/features/locations/locations.vocabulary.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { plural } from '#shared/text/plural.ts';
import { tell } from '../../forms/toasts.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { usePlaceCommands } from './use-place-commands.ts';

const WORDS = {
  client: {
    title: 'Delete Client',
    confirm: placeMessages.clientConfirm,
    kept: placeMessages.recordsKept,
    inArchive: placeMessages.inArchive,
    done: placeMessages.clientDeleted,
    failed: placeMessages.clientDeleteFailed,
  },
  building: {
    title: 'Delete Building',
    confirm: placeMessages.buildingConfirm,
    kept: placeMessages.recordsKept,
    inArchive: placeMessages.inArchive,
    done: placeMessages.buildingDeleted,
    failed: placeMessages.buildingDeleteFailed,
  },
  floor: {
    title: 'Delete Floor',
    confirm: placeMessages.floorConfirm,
    kept: placeMessages.floorRecordsKept,
    inArchive: placeMessages.floorInArchive,
    done: placeMessages.floorDeleted,
    failed: placeMessages.floorDeleteFailed,
  },
} as const;

const RECORDS = {
  client: api.locations.clientRecords,
  building: api.locations.buildingRecords,
  floor: api.locations.floorRecords,
};

type Props = {
  kind: PlaceKind;
  place: { id: string; name: string };
  onClose: () => void;
  onRemoved: () => void;
};

/** Confirmation before a client, building or floor is removed, with the number of dependent records. */
export default function RemoveDialog({ kind, place, onClose, onRemoved }: Props) {
  const words = WORDS[kind];
  const { remove } = usePlaceCommands();
  const { data, error } = useQuery({
    queryKey: ['locations.records', kind, place.id],
    queryFn: ({ signal }) => RECORDS[kind].query({ id: place.id }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

  async function onConfirm() {
    const answer = await tell(remove(kind, place.id), { failure: words.failed });
    if (answer === undefined) return;
    toast(
      answer.outcome === 'archived'
        ? { title: place.name, text: `${words.done}. ${words.inArchive}` }
        : { title: place.name, text: words.done },
    );
    onRemoved();
  }

  return (
    <ConfirmDialog
      title={`${words.title} - ${place.name}`}
      action="Delete"
      pending="Deleting..."
      disabled={data === undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{words.confirm}</p>
      <div className="mt-3 min-h-10 text-ink-2" aria-live="polite">
        {error !== null && <p className="text-bad">{messageFor(error, messages.common.notReached)}</p>}
        {error === null && data === undefined && <Skeleton className="h-5 w-3/4" />}
        {data !== undefined && <p>{aboutRecords(data, words.kept)}</p>}
      </div>
    </ConfirmDialog>
  );
}

function aboutRecords(records: DependentCounts, kept: (counts: string) => string): string {
  if (records.length === 0) return placeMessages.recordsNone;
  return kept(records.map(({ kind, count }) => plural(count, DEPENDENT_LABELS[kind])).join(', '));
}
