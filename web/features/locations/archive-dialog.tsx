import { Archive, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '#shared/dates.ts';
import type { ArchivedPlace } from '#shared/features/locations/locations.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { messages } from '#shared/messages.ts';
import { tell } from '../../forms/toasts.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveList } from '../../live/hooks/use-live-list.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { archivedPlaces } from './places.live.ts';
import { usePlaceCommands } from './use-place-commands.ts';

const WORDS = {
  client: {
    what: () => 'Client, with its buildings',
    restored: placeMessages.clientRestored,
    failed: placeMessages.clientRestoreFailed,
  },
  building: {
    what: (client: string | null) => `Building of ${client}`,
    restored: placeMessages.buildingRestored,
    failed: placeMessages.buildingRestoreFailed,
  },
  floor: {
    what: (building: string | null) => `Floor of ${building}`,
    restored: placeMessages.floorRestored,
    failed: placeMessages.floorRestoreFailed,
  },
} as const;

/** Dialog with the archived clients, buildings and floors, each with a button to restore it. */
export default function ArchiveDialog({ onClose }: { onClose: () => void }) {
  const { rows, status, error, refetch, hasMore, loadMore, isLoadingMore } = useLiveList(
    archivedPlaces,
    undefined,
  );
  return (
    <Dialog open onClose={onClose} title="Archive">
      {status === 'loading' && <Skeleton className="h-24" />}
      {status === 'error' && (
        <ErrorState
          title={placeMessages.archiveFailed}
          text={messageFor(error, messages.common.notReached)}
          error={error}
          onRetry={refetch}
        />
      )}
      {status === 'ready' && rows.length === 0 && (
        <EmptyState icon={<Archive size={20} />} title={placeMessages.archiveEmpty} />
      )}
      {rows.length > 0 && (
        <>
          <ExportLink list="archive" what="archive" />
          <ul className="mt-2 grid divide-y divide-line">
            {rows.map((place) => (
              <ArchivedRow key={place.id} place={place} />
            ))}
          </ul>
        </>
      )}
      {hasMore && (
        <Button className="mt-3" disabled={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </Dialog>
  );
}

function ArchivedRow({ place }: { place: ArchivedPlace }) {
  const { restore } = usePlaceCommands();
  const [busy, setBusy] = useState(false);
  const words = WORDS[place.kind];

  async function onRestore() {
    setBusy(true);
    await tell(restore(place.kind, place.id), {
      about: place.name,
      success: words.restored,
      failure: words.failed,
    });
    setBusy(false);
  }

  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">{place.name}</p>
        <p className="text-ink-2 text-sm">
          {words.what(place.within)}, archived{' '}
          <time dateTime={place.archivedAt}>{formatDate(place.archivedAt)}</time>
        </p>
      </div>
      <Button size="sm" disabled={busy} onClick={() => void onRestore()} aria-label={`Restore ${place.name}`}>
        <RotateCcw size={14} aria-hidden />
        Restore
      </Button>
    </li>
  );
}
