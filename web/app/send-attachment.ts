import type { AnnouncePhotoInput } from '#shared/features/photos/photos.ts';
import type { OfflineCommand } from '#shared/offline.ts';
import { sendPhoto } from '../features/photos/send-photo.ts';
import { placeIn } from '../features/photos/taken-photo.ts';
import type { OutgoingAttachment, Transport } from '../offline/queue/transport.ts';
import { NeedsUpdateError } from '../offline/queue/verdict.ts';

type PlaceOf = (
  id: string,
  more: { about: unknown; receipt: object },
) => AnnouncePhotoInput['of'] | undefined;

/** The target of a command's photos. Does not compile while a command is missing. */
const PLACES: { readonly [C in OfflineCommand]: PlaceOf } = {
  'issues.create': (issueId) => ({ issueId }),
  'checks.record': (visitId) => ({ visitId }),
  'tasks.create': () => undefined,
  'tasks.update': () => undefined,
  'tasks.complete': (_id, { receipt }) => {
    const completionId: unknown = Reflect.get(receipt, 'completionId');
    return typeof completionId === 'string' ? { completionId } : undefined;
  },
  // The receipt contains only the id of the photo, so the photo's subject is read from `about`.
  'photos.announce': (_id, { about }) => placeIn(about),
};

/** Sends a photo of a command that the server has received. */
export const sendAttachment: Transport['sendAttachment'] = (attachment, context) =>
  sendPhoto(attachment, photoTargetOf(attachment), context);

/**
 * Returns the issue, visit or completion that a photo belongs to, from the command it was queued with.
 * @throws NeedsUpdateError for a command of a newer version
 */
export function photoTargetOf({
  about,
  parent: { command, receipt },
}: OutgoingAttachment): AnnouncePhotoInput['of'] {
  const answer = Object(receipt) as object;
  const id: unknown = Reflect.get(answer, 'id');
  const known = Object.hasOwn(PLACES, command) && typeof id === 'string';
  const place = known ? PLACES[command as OfflineCommand](id, { about, receipt: answer }) : undefined;
  // Stored by a newer version of the app.
  if (place === undefined) throw new NeedsUpdateError(command);
  return place;
}
