import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import type { ShownPhoto } from './shown-photo.tsx';

type Props = {
  of: string;
  photos: readonly ShownPhoto[];
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
  onRemove?: (id: string) => void;
};

/** Dialog with one photo at full size. The arrow keys move to the others. */
export default function PhotoViewer({ of, photos, index, onMove, onClose, onRemove }: Props) {
  const photo = photos[index];
  const [asking, setAsking] = useState(false);
  const own = useObjectUrl(photo?.blob);
  if (photo === undefined) return null;

  const move = (by: number) => {
    const to = index + by;
    if (to < 0 || to >= photos.length) return;
    setAsking(false);
    onMove(to);
  };
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowLeft') move(-1);
    if (event.key === 'ArrowRight') move(1);
  }
  function remove(id: string) {
    // Moves to another photo before this one is removed.
    if (photos.length === 1) onClose();
    else onMove(index === 0 ? 1 : index - 1);
    setAsking(false);
    onRemove?.(id);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={of}
      subtitle={photoMessages.title(index + 1, photos.length)}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the dialog */}
      <div onKeyDown={onKeyDown} className="grid gap-3">
        {/* The same height for each photo, also while it loads, so that no button moves under the thumb. */}
        <div className="flex h-[65dvh] items-center justify-center">
          <img
            src={own ?? photo.src}
            alt={photo.alt}
            className="max-h-full max-w-full rounded-control bg-mute"
          />
        </div>
        {photo.caption !== undefined && <p className="text-center text-ink-2 text-sm">{photo.caption}</p>}
        <div className="flex items-center justify-between gap-2">
          <IconButton
            label="Previous photo"
            data-many-taps
            bordered
            disabled={index === 0}
            onClick={() => move(-1)}
          >
            <ChevronLeft size={20} aria-hidden />
          </IconButton>
          {onRemove !== undefined &&
            photo.mayRemove !== false &&
            (asking ? (
              <Button variant="danger" onClick={() => remove(photo.id)}>
                {photoMessages.removeSure}
              </Button>
            ) : (
              <Button variant="quiet" onClick={() => setAsking(true)}>
                <Trash2 size={18} aria-hidden />
                {photoMessages.removeTitle}
              </Button>
            ))}
          <IconButton
            label="Next photo"
            data-many-taps
            bordered
            disabled={index === photos.length - 1}
            onClick={() => move(1)}
          >
            <ChevronRight size={20} aria-hidden />
          </IconButton>
        </div>
      </div>
    </Dialog>
  );
}

/** Returns an object URL for local bytes, revoked when they change or the component unmounts. */
function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) {
      setUrl(undefined);
      return;
    }
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
