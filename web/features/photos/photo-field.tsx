import { useContext, useEffect, useRef, useState } from 'react';
import { PHOTOS_MAX } from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { PhotoInputs } from './photo-inputs.tsx';
import { PhotoThumbs } from './photo-thumbs.tsx';
import { PhotosInProgressContext } from './photos-in-progress.ts';
import { PhotoError, takePhoto } from './take-photo.ts';
import type { FormPhotos } from './use-form-photos.ts';

type Props = {
  /** Subject of the photos: "Outlet 3, Kitchen". */
  of: string;
  /** Photos kept in the form's draft. They become attachments of the queued command when the form is submitted. */
  taken: FormPhotos;
  disabled?: boolean | undefined;
  /** Borderless buttons, for one of many fields on a page. */
  quiet?: boolean | undefined;
  /** Files that were taken before the form opened. */
  first?: readonly File[] | undefined;
};

/** Photos of a form that is not submitted yet: they can be taken, viewed and removed, and are scaled down at once. */
export function PhotoField({ of, taken, disabled, quiet, first }: Props) {
  const { photos, state, remove, begin } = taken;
  const [busy, setBusy] = useState(0);
  const [wrong, setWrong] = useState<string>();
  const prepare = useContext(PhotosInProgressContext);

  function tell(by: number) {
    setBusy((n) => n + by);
    prepare(by);
  }

  function discard(id: string) {
    const photo = photos.find((one) => one.id === id);
    const form = begin();
    remove(id);
    if (photo === undefined) return;
    const onSelect = () => form.add(photo);
    toast({ title: photoMessages.discarded, tone: 'info', action: { label: 'Undo', onSelect } });
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

  const isFirstAdded = useRef(false);
  useEffect(() => {
    if (first === undefined || isFirstAdded.current || disabled === true) return;
    isFirstAdded.current = true;
    void add(first);
  });

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
          {...(disabled === true ? {} : { onDiscard: discard })}
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
