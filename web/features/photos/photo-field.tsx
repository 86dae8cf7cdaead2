import { useRef, useState } from 'react';
import { PHOTOS_MAX } from '#shared/features/photos.words.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { PhotoInputs } from './photo-inputs.tsx';
import { PhotoThumbs } from './photo-thumbs.tsx';
import { PhotoError, takePhoto } from './take-photo.ts';
import type { TakenPhoto } from './taken-photo.ts';

type Props = {
  /** What the photos are of: "Outlet 3, Kitchen". */
  of: string;
  /** Kept in the form's draft; handed to the outbox as they are, as the entry's attachments. */
  photos: readonly TakenPhoto[];
  onChange: (photos: readonly TakenPhoto[]) => void;
  disabled?: boolean | undefined;
  /** One of many on the page: its buttons without edges. */
  quiet?: boolean | undefined;
};

/** Photos in a form that is not handed in yet: taken, made small, looked at, thrown away again. */
export function PhotoField({ of, photos, onChange, disabled, quiet }: Props) {
  const [busy, setBusy] = useState(0);
  const [wrong, setWrong] = useState<string>();
  // Several may be made small at once, and the form may change meanwhile.
  const latest = useRef(photos);
  latest.current = photos;

  function change(next: readonly TakenPhoto[]) {
    latest.current = next;
    onChange(next);
  }

  async function add(files: readonly File[]) {
    setWrong(undefined);
    setBusy((n) => n + files.length);
    for (const file of files) {
      try {
        if (latest.current.length >= PHOTOS_MAX) throw new PhotoError(photoMessages.tooMany(PHOTOS_MAX));
        const photo = await takePhoto(file);
        change([...latest.current, photo]);
      } catch (error) {
        setWrong(error instanceof PhotoError ? error.message : photoMessages.addFailed);
      } finally {
        setBusy((n) => n - 1);
      }
    }
  }

  return (
    <div className="grid gap-2">
      {photos.length > 0 && (
        <PhotoThumbs
          of={of}
          photos={photos.map(({ id, about, blob }) => ({
            id,
            thumbnail: `data:image/jpeg;base64,${about.thumbnail ?? ''}`,
            blob,
            alt: `Photo of ${of}, not sent yet`,
          }))}
          {...(disabled === true ? {} : { onRemove: (id) => change(photos.filter((one) => one.id !== id)) })}
        />
      )}
      <PhotoInputs
        of={of}
        quiet={quiet}
        disabled={disabled === true || busy > 0}
        onFiles={(files) => void add(files)}
      />
      <p role="status" className="text-ink-2 text-sm empty:hidden">
        {busy > 0 ? photoMessages.preparing : ''}
      </p>
      {wrong !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {wrong}
        </p>
      )}
    </div>
  );
}
