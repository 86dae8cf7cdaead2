import { formatDateTime } from '#shared/dates.ts';
import type { Photo } from '#shared/features/photos/photos.ts';
import { type PhotoTarget, photoUrl, thumbnailUrl } from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { signedName } from '#shared/text/names.ts';
import { messageFor } from '../../lib/trpc/message-for.ts';
import { useLiveQuery } from '../../live/hooks/use-live-query.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PhotoThumbs } from './photo-thumbs.tsx';
import { photosOf } from './photos.live.ts';

type Props = {
  place: PhotoTarget;
  /** Subject of the photos, for their alt texts. */
  of: string;
  mayRemove?: (photo: Photo) => boolean;
  onRemove?: (id: string) => void;
};

/** Live photos, stored on the server, of an issue, a check entry or a completion. Renders nothing without photos. */
export function PhotoStrip({ place, of, mayRemove = () => false, onRemove }: Props) {
  const { data = [], status, error, refetch } = useLiveQuery(photosOf, place);
  if (status === 'error') {
    return (
      <ErrorState title={messageFor(error, photoMessages.fetchFailed)} error={error} onRetry={refetch} />
    );
  }
  if (data.length === 0) return null;
  const shown = data.map((photo) => {
    const taken = photoMessages.taken(
      formatDateTime(photo.takenAt),
      signedName(photo.uploadedByName, photo.uploadedByNow),
    );
    const { importedByName } = photo;
    // Rows cached by an older version of the app lack the field.
    const caption = importedByName == null ? taken : photoMessages.imported(taken, importedByName);
    return {
      id: photo.id,
      src: photoUrl(photo.id),
      thumbnail: photo.hasThumbnail ? thumbnailUrl(photo.id) : photoUrl(photo.id),
      alt: `Photo of ${of}. ${caption}`,
      caption,
      mayRemove: mayRemove(photo),
    };
  });
  return <PhotoThumbs of={of} photos={shown} {...(onRemove === undefined ? {} : { onRemove })} />;
}
