import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { PhotoInputs } from './photo-inputs.tsx';
import type { PhotoPlace } from './taken-photo.ts';
import { useAddPhotos } from './use-add-photos.ts';

type Props = {
  of: PhotoPlace;
  /** The subject of the photos, for screen readers and the Sync page. */
  name: string;
};

/** Adds photos to a saved issue or completion; each is kept on this device until the server has it. */
export function AddPhotos({ of, name }: Props) {
  const { add, busy, wrong } = useAddPhotos(of, name);
  return (
    <>
      {wrong !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {wrong}
        </p>
      )}
      <div className="grid gap-1.5 print:hidden">
        <PhotoInputs of={name} disabled={busy} onFiles={(files) => void add(files)} />
        <p className="text-ink-2 text-sm">{busy ? photoMessages.preparing : photoMessages.stripped}</p>
      </div>
    </>
  );
}
