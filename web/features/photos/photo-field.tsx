import { useContext, useState } from 'react';
import { PHOTOS_MAX } from '#shared/features/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { PhotoInputs } from './photo-inputs.tsx';
import { PhotoThumbs } from './photo-thumbs.tsx';
import { PhotosInProgressContext } from './photos-in-progress.ts';
import { PhotoError, takePhoto } from './take-photo.ts';
import type { FormPhotos } from './use-form-photos.ts';

type Props = {
  /** What the photos are of: "Outlet 3, Kitchen". */
  of: string;
  /** Kept in the form's draft; handed to the outbox as they are, as the entry's attachments. */
  taken: FormPhotos;
  disabled?: boolean | undefined;
  /** One of many on the page: its buttons without edges. */
  quiet?: boolean | undefined;
};

/** Photos in a form that is not handed in yet: taken, made small, looked at, thrown away again. */
export function PhotoField({ of, taken, disabled, quiet }: Props) {
  const { photos, state, remove, begin } = taken;
  const [busy, setBusy] = useState(0);
  const [wrong, setWrong] = useState<string>();
  const prepare = useContext(PhotosInProgressContext);

  function tell(by: number) {
    setBusy((n) => n + by);
    prepare(by);
  }

  async function add(files: readonly File[]) {
    setWrong(undefined);
    tell(files.length);
    const form = begin();
    for (const file of files) {
      try {
        if (form.count() >= PHOTOS_MAX) throw new PhotoError(photoMessages.tooMany(PHOTOS_MAX));
        form.add(await takePhoto(file));
      } catch (error) {
        setWrong(error instanceof PhotoError ? error.message : photoMessages.addFailed);
      } finally {
        tell(-1);
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
          {...(disabled === true ? {} : { onRemove: remove })}
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
      {state === 'failed' && photos.length > 0 && (
        <p role="alert" className="text-bad text-sm">
          {photoMessages.draftFailed}
        </p>
      )}
      {wrong !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {wrong}
        </p>
      )}
    </div>
  );
}
