import { type PhotoTarget, photoUrl, thumbnailUrl } from '#shared/features/photos/photos.vocabulary.ts';
import { useLiveQuery } from '../../../../live/hooks/use-live-query.ts';
import { photosOf } from '../../../photos/photos.live.ts';

/** Photos of an entry or of its issue, each linked to its full size. Renders nothing without photos. */
export function ThreadPhotos({ on, onId }: PhotoTarget) {
  const { data: photos = [] } = useLiveQuery(photosOf, { on, onId });
  if (photos.length === 0) return null;
  return (
    <ul className="mt-1.5 flex flex-wrap gap-2">
      {photos.map((photo, index) => (
        <li key={photo.id}>
          <a href={photoUrl(photo.id)} target="_blank" rel="noreferrer" className="block rounded-control">
            <img
              src={photo.hasThumbnail ? thumbnailUrl(photo.id) : photoUrl(photo.id)}
              alt={`${index + 1} of ${photos.length}`}
              loading="lazy"
              className="size-20 rounded-control border border-line object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
