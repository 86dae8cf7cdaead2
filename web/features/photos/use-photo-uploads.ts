import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnnouncePhotoInput } from '#shared/features/photos.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import { messageFor } from '../../lib/message-for.ts';
import { sendPhoto } from './send-photo.ts';
import { PhotoError, takePhoto } from './take-photo.ts';
import type { TakenPhoto } from './taken-photo.ts';

export type PhotoUpload = TakenPhoto & { percent: number; wrong: string | undefined };

/** Photos that go to the server at once, one after the other; what fails can be tried again from where it was. */
export function usePhotoUploads(userId: string, of: AnnouncePhotoInput['of']) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>([]);
  const [wrong, setWrong] = useState<string>();
  const [end] = useState(() => new AbortController());
  const queue = useRef<Promise<void>>(Promise.resolve());
  const latest = useRef(of);
  latest.current = of;
  useEffect(() => () => end.abort(), [end]);

  const send = useCallback(
    async (photo: TakenPhoto) => {
      const change = (patch: Partial<PhotoUpload>) =>
        setUploads((all) => all.map((one) => (one.id === photo.id ? { ...one, ...patch } : one)));
      change({ wrong: undefined });
      try {
        await sendPhoto({ ...photo, data: photo.blob, bytes: photo.blob.size }, latest.current, {
          userId,
          signal: end.signal,
          onProgress: (sent) => change({ percent: Math.floor((100 * sent) / photo.blob.size) }),
        });
        setUploads((all) => all.filter(({ id }) => id !== photo.id));
      } catch (error) {
        if (!end.signal.aborted) change({ wrong: messageFor(error, photoMessages.notSent) });
      }
    },
    [userId, end],
  );
  const enqueue = useCallback(
    (photo: TakenPhoto) => {
      queue.current = queue.current.then(() => send(photo));
    },
    [send],
  );

  async function add(files: readonly File[]) {
    setWrong(undefined);
    for (const file of files) {
      try {
        const photo = await takePhoto(file);
        setUploads((all) => [...all, { ...photo, percent: 0, wrong: undefined }]);
        enqueue(photo);
      } catch (error) {
        setWrong(error instanceof PhotoError ? error.message : photoMessages.addFailed);
      }
    }
  }

  return {
    uploads,
    wrong,
    add,
    retry: enqueue,
    discard: (id: string) => setUploads((all) => all.filter((one) => one.id !== id)),
  };
}
