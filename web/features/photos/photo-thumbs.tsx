import { X } from 'lucide-react';
import { useState } from 'react';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { cx } from '../../ui/cx.ts';
import { NoFallback, type ShownPhoto } from './shown-photo.tsx';

const PhotoViewer = lazyScreen(() => import('./photo-viewer.tsx'));

type Props = {
  of: string;
  photos: readonly ShownPhoto[];
  /** Absent when photos cannot be removed; the viewer asks first. */
  onRemove?: (id: string) => void;
  /** For unsent photos: each has its name and a button that removes it. */
  onDiscard?: (id: string) => void;
};

/** Row of thumbnails; each opens the viewer. */
export function PhotoThumbs({ of, photos, onDiscard, onRemove = onDiscard }: Props) {
  const [open, setOpen] = useState<string>();
  const index = photos.findIndex(({ id }) => id === open);
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {photos.map((photo, at) => (
          <li
            key={photo.id}
            className={cx(onDiscard !== undefined && 'flex items-center rounded-control border border-line')}
          >
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
            {onDiscard !== undefined && (
              <>
                <span className="pl-2.5 text-sm tabular-nums">{photoMessages.name(at + 1)}</span>
                <IconButton label={photoMessages.discard(at + 1, of)} onClick={() => onDiscard(photo.id)}>
                  <X size={16} aria-hidden />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
      {index >= 0 && (
        <NoFallback>
          <PhotoViewer
            of={of}
            photos={photos}
            index={index}
            onMove={(to) => setOpen(photos[to]?.id)}
            onClose={() => setOpen(undefined)}
            {...(onRemove === undefined ? {} : { onRemove })}
          />
        </NoFallback>
      )}
    </>
  );
}
