import type { AnnouncePhotoInput } from '#shared/features/photos.ts';
import type { OfflineCommand } from '#shared/offline.ts';
import { sendPhoto } from '../features/photos/send-photo.ts';
import type { OutgoingAttachment, Transport } from '../offline/sender.ts';
import { NeedsUpdateError } from '../offline/verdict.ts';

/** What the photos of an entry are of, by what the entry was. Does not compile while a command is missing. */
const PLACES: { readonly [C in OfflineCommand | 'checks.record']: (id: string) => AnnouncePhotoInput['of'] } =
  {
    'issues.create': (issueId) => ({ issueId }),
    'checks.record': (visitId) => ({ visitId }),
  };

/** Sends a photo that belongs to an entry which the server has. */
export const sendAttachment: Transport['sendAttachment'] = (attachment, context) =>
  sendPhoto(attachment, placeOf(attachment), context);

function placeOf({ entry: { command, receipt } }: OutgoingAttachment): AnnouncePhotoInput['of'] {
  const id: unknown = Reflect.get(Object(receipt), 'id');
  // Saved by a newer version of the page than this one.
  if (!Object.hasOwn(PLACES, command) || typeof id !== 'string') throw new NeedsUpdateError(command);
  return PLACES[command as OfflineCommand](id);
}
