import { useState } from 'react';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import { formatNotKept } from '../../offline/labels.ts';
import { useLoadOffline } from '../../offline/offline-context.tsx';
import { OfflineError } from '../../offline/types.ts';
import { PhotoError, takePhoto } from './take-photo.ts';
import { announcementOf, type PhotoPlace } from './taken-photo.ts';

/**
 * Adds photos to an issue or a completion. Each is stored on this device first; the send queue uploads it.
 * @param name the name of the issue or completion, for the Sync page
 */
export function useAddPhotos(of: PhotoPlace, name: string) {
  const load = useLoadOffline();
  const [busy, setBusy] = useState(0);
  const [wrong, setWrong] = useState<string>();

  async function add(files: readonly File[]) {
    setWrong(undefined);
    setBusy((n) => n + files.length);
    for (const file of files) {
      try {
        const [photo, offline] = await Promise.all([takePhoto(file), load()]);
        const { input, attachment } = announcementOf(photo, of);
        await offline.enqueue({
          command: 'photos.announce',
          input,
          title: photoMessages.entry(name),
          attachments: [attachment],
        });
      } catch (error) {
        setWrong(reasonOf(error));
      } finally {
        setBusy((n) => n - 1);
      }
    }
  }
  return { add, busy: busy > 0, wrong };
}

function reasonOf(error: unknown): string {
  if (error instanceof PhotoError) return error.message;
  return error instanceof OfflineError ? formatNotKept(error) : photoMessages.addFailed;
}
