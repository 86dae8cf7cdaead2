import { RotateCw } from 'lucide-react';
import { Link } from 'react-router-dom';
import { isRetryable } from '#shared/errors.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { messages } from '#shared/messages.ts';
import { offlineMessages } from '#shared/offline/offline-messages.ts';
import { formatError } from '../../offline/labels.ts';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import type { PhotoPlace } from './taken-photo.ts';
import { useWaitingPhotos, type WaitingPhoto } from './use-waiting-photos.ts';

/** Photos that are on this device only: saved, being sent, or refused with the reason. */
export function WaitingPhotos({ of }: { of: PhotoPlace }) {
  const waiting = useWaitingPhotos(of);
  const sendQueue = useOfflineIfUsed()?.sendQueue;
  if (waiting.length === 0) return null;
  return (
    <ul className="grid gap-2" aria-label={photoMessages.waiting}>
      {waiting.map((photo) => (
        <Waiting key={photo.id} photo={photo} onRetry={() => void sendQueue?.retry(photo.commandId)} />
      ))}
    </ul>
  );
}

function Waiting({ photo, onRetry }: { photo: WaitingPhoto; onRetry: () => void }) {
  const { thumbnail, state, percent, error } = photo;
  return (
    <li className="flex items-center gap-3">
      <img src={thumbnail} alt="" className="size-12 shrink-0 rounded-control object-cover" />
      {state !== 'attention' ? (
        <p role="status" className="text-ink-2 text-sm tabular-nums">
          {state === 'sending' ? photoMessages.sending(percent) : offlineMessages.states.saved}
        </p>
      ) : (
        <>
          <p role="alert" className="min-w-0 flex-1 text-bad text-sm [overflow-wrap:anywhere]">
            {error === null ? offlineMessages.states.attention : formatError(error)}{' '}
            <Link to="/sync" className="font-medium underline underline-offset-2">
              {offlineMessages.title}
            </Link>
          </p>
          {isRetryable(error?.code) && (
            <IconButton label={messages.common.tryAgain} onClick={onRetry}>
              <RotateCw size={17} aria-hidden />
            </IconButton>
          )}
        </>
      )}
    </li>
  );
}
