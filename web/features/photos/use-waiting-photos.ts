import { useSyncExternalStore } from 'react';
import { useOfflineIfUsed } from '../../offline/offline-context.tsx';
import type { QueuedAttachment, QueuedCommand, QueuedError, QueuedState } from '../../offline/types.ts';
import { aboutPhoto, issueIn } from './taken-photo.ts';

/** A photo of an issue that is on this device and not yet on the server. */
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

/** Returns the unsent photos of an issue: added to it, or taken when it was reported. */
export function useWaitingPhotos(issueId: string): readonly WaitingPhoto[] {
  const sendQueue = useOfflineIfUsed()?.sendQueue;
  const items = useSyncExternalStore(
    sendQueue?.subscribe ?? noSubscription,
    () => sendQueue?.items() ?? NONE,
  );
  return items.flatMap((item) =>
    item.attachments
      .filter((one) => one.state !== 'received' && issueOf(item, one) === issueId)
      .map((one) => waitingPhoto(item, one)),
  );
}

function issueOf({ command, receipt }: QueuedCommand, { about }: QueuedAttachment): unknown {
  return command === 'issues.create' ? Reflect.get(Object(receipt), 'id') : issueIn(about);
}

// Until the command is received, the photo is not being sent and has the command's state, including its refusal.
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
