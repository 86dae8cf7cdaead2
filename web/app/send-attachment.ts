import type { AnnouncePhotoInput } from '#shared/features/photos.ts';
import type { OfflineCommand } from '#shared/offline.ts';
import { sendPhoto } from '../features/photos/send-photo.ts';
import { issueIn } from '../features/photos/taken-photo.ts';
import type { OutgoingAttachment, Transport } from '../offline/transport.ts';
import { NeedsUpdateError } from '../offline/verdict.ts';

type PlaceOf = (id: string, about: unknown) => AnnouncePhotoInput['of'] | undefined;

/** The target of a command's photos. Does not compile while a command is missing. */
const PLACES: { readonly [C in OfflineCommand]: PlaceOf } = {
  'issues.create': (issueId) => ({ issueId }),
  'checks.record': (visitId) => ({ visitId }),
  'tasks.create': () => undefined,
  'tasks.update': () => undefined,
  'tasks.complete': () => undefined,
  // The receipt's id is that of the photo, so the issue comes from `about`.
  'photos.announce': (_id, about) => {
    const issueId = issueIn(about);
    return issueId === undefined ? undefined : { issueId };
  },
};

/** Sends a photo of a command that the server has received. */
export const sendAttachment: Transport['sendAttachment'] = (attachment, context) =>
  sendPhoto(attachment, photoTargetOf(attachment), context);

/**
 * Returns the issue or visit that a photo belongs to, from the command it was queued with.
 * @throws NeedsUpdateError for a command of a newer version
 */
export function photoTargetOf({
  about,
  parent: { command, receipt },
}: OutgoingAttachment): AnnouncePhotoInput['of'] {
  const id: unknown = Reflect.get(Object(receipt), 'id');
  const known = Object.hasOwn(PLACES, command) && typeof id === 'string';
  const place = known ? PLACES[command as OfflineCommand](id, about) : undefined;
  // Stored by a newer version of the app.
  if (place === undefined) throw new NeedsUpdateError(command);
  return place;
}
