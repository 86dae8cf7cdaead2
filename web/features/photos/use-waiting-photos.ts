import { useSyncExternalStore } from 'react';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import type { QueuedAttachment, QueuedCommand, QueuedError, QueuedState } from '../../offline/types.ts';
import { aboutPhoto, type PhotoPlace, placeId, placeIn } from './taken-photo.ts';

/** A photo that is on this device and not yet on the server. */
export type WaitingPhoto = {
  id: string;
  /** Id of its queued command. */
  commandId: string;
  thumbnail: string;
  state: QueuedState;
  percent: number;
  error: QueuedError | null;
};

const NONE: readonly QueuedCommand[] = [];
const noSubscription = () => () => undefined;

/** Returns the unsent photos of an issue or a completion: added to it later, or taken in the form that created it. */
export function useWaitingPhotos(of: PhotoPlace): readonly WaitingPhoto[] {
  const sendQueue = useOfflineIfUsed()?.sendQueue;
  const items = useSyncExternalStore(
    sendQueue?.subscribe ?? noSubscription,
    () => sendQueue?.items() ?? NONE,
  );
  return items.flatMap((item) =>
    item.attachments
      .filter((one) => one.state !== 'received' && subjectOf(item, one) === placeId(of))
      .map((one) => waitingPhoto(item, one)),
  );
}

function subjectOf({ command, receipt }: QueuedCommand, { about }: QueuedAttachment): unknown {
  if (command === 'issues.create') return Reflect.get(Object(receipt), 'id');
  if (command === 'tasks.complete') return Reflect.get(Object(receipt), 'completionId');
  const of = placeIn(about);
  return of && placeId(of);
}

// Until the command is received, its photos are not sent; each photo has the command's state, including a refusal.
function waitingPhoto(item: QueuedCommand, one: QueuedAttachment): WaitingPhoto {
  const { state, lastError } = item.state === 'received' ? one : item;
  return {
    id: one.id,
    commandId: item.id,
    thumbnail: `data:image/jpeg;base64,${aboutPhoto(one.about).thumbnail ?? ''}`,
    state,
    percent: one.bytes === 0 ? 0 : Math.floor((100 * one.sentBytes) / one.bytes),
    error: state === 'attention' ? lastError : null,
  };
}
