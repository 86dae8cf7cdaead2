import { Image } from 'lucide-react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { QueuedAttachment, QueuedCommand } from '../../../../offline/types.ts';
import { ButtonLink } from '../../../../ui/buttons/button-link.tsx';
import { ProgressBar } from '../../../../ui/feedback/progress-bar.tsx';

/** Returns whether all photos of a record are received, some are still to be sent, or one needs attention. */
export function photosStateOf(attachments: readonly QueuedAttachment[]): 'done' | 'following' | 'stuck' {
  if (attachments.some(({ state }) => state === 'attention')) return 'stuck';
  return attachments.every(({ state }) => state === 'received') ? 'done' : 'following';
}

/** Upload progress of the photos of a record, which are sent after it. */
export function ReceiptPhotos({ item: { state, attachments } }: { item: QueuedCommand }) {
  const photos = attachments.length;
  if (photos === 0) return null;
  const photosState = photosStateOf(attachments);
  const received = attachments.filter((one) => one.state === 'received').length;
  const text =
    state !== 'received'
      ? formMessages.photosWith(photos)
      : photosState === 'done'
        ? formMessages.photosReceived(photos)
        : formMessages.photosLeft(received, photos);
  return (
    <div className="mt-3 grid w-full gap-2.5">
      <p className="flex items-center justify-center gap-2 text-ink-2 tabular-nums">
        <Image size={17} aria-hidden />
        {text}
      </p>
      {state === 'received' && photosState === 'following' && (
        <div className="flex">
          <ProgressBar done={sum(attachments, sentOf)} of={sum(attachments, ({ bytes }) => bytes)} />
        </div>
      )}
      {photosState === 'stuck' && (
        <>
          <p className="text-bad">{formMessages.photosStuckText}</p>
          <ButtonLink to="/sync" size="lg">
            {formMessages.waitingHere}
          </ButtonLink>
        </>
      )}
    </div>
  );
}

function sentOf({ state, bytes, sentBytes }: QueuedAttachment): number {
  return state === 'received' ? bytes : state === 'sending' ? sentBytes : 0;
}

function sum(attachments: readonly QueuedAttachment[], of: (one: QueuedAttachment) => number): number {
  return attachments.reduce((total, one) => total + of(one), 0);
}
