import { useState } from 'react';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { type ShownPhoto, WaitingBadge } from './shown-photo.tsx';

const PhotoViewer = lazyScreen(() => import('./photo-viewer.tsx'));

type Props = {
  of: string;
  photos: readonly ShownPhoto[];
  /** Absent when photos cannot be removed. */
  onRemove?: (id: string) => void;
};

/** Row of thumbnails; each opens the viewer. */
export function PhotoThumbs({ of, photos, onRemove }: Props) {
  const [open, setOpen] = useState<string>();
  const index = photos.findIndex(({ id }) => id === open);
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {photos.map((photo) => (
          <li key={photo.id}>
            <button
              type="button"
              onClick={() => setOpen(photo.id)}
              onPointerEnter={PhotoViewer.preload}
              className="block size-18 overflow-hidden rounded-control border border-line bg-mute"
            >
              <img
                src={photo.thumbnail}
                alt={photo.alt}
                width={72}
                height={72}
                loading="lazy"
                decoding="async"
                className="size-full object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
      {index >= 0 && (
        <WaitingBadge>
          <PhotoViewer
            of={of}
            photos={photos}
            index={index}
            onMove={(to) => setOpen(photos[to]?.id)}
            onClose={() => setOpen(undefined)}
            {...(onRemove === undefined ? {} : { onRemove })}
          />
        </WaitingBadge>
      )}
    </>
  );
}
