import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import type { WireError } from '#shared/errors.ts';
import type { AnnouncePhotoInput, PhotoProgress } from '#shared/features/photos.ts';
import { photoUrl, UPLOAD_OFFSET } from '#shared/features/photos.vocabulary.ts';
import { timeOfUuidv7, uuidv7 } from '#shared/ids.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import { aboutPhoto } from './taken-photo.ts';

/** Small enough to get through a bad connection, large enough to waste little on the way. */
const PIECE = 128 * 1024;
/** So often the server may say that what it has is something else, before a person is told. */
const MOST_RESTARTS = 3;

export type OutgoingPhoto = {
  id: string;
  sha256: string;
  contentType: string;
  bytes: number;
  about: unknown;
  data: Blob;
};
export type SendPhotoOptions = {
  /** Whose it is: the server takes it from nobody else. */
  userId: string;
  signal: AbortSignal;
  onProgress?: (sentBytes: number) => void;
  /** For a program that is no page: where the server is, and what a browser would add to every call. */
  to?: { url: string; headers: () => Record<string, string> };
};

/** A refusal of an upload, in the form in which procedures refuse. */
class UploadError extends Error {
  override name = 'UploadError';
  readonly data: { app: WireError | undefined };
  readonly meta: { response: { status: number } };

  constructor(app: WireError | undefined, status: number) {
    super(app?.message ?? `the upload was refused: ${status}`);
    this.data = { app };
    this.meta = { response: { status } };
  }
}

/**
 * Brings a photo to the server, from where the last try left off. Resolves when the server has all of it and its hash
 * is the one that was noted; called again after that, it finds so at once.
 */
export async function sendPhoto(
  photo: OutgoingPhoto,
  of: AnnouncePhotoInput['of'],
  options: SendPhotoOptions,
): Promise<void> {
  const { onProgress } = options;
  for (let restarts = 0; ; restarts += 1) {
    const { received, stored } = await announce(photo, of, options);
    onProgress?.(received);
    if (stored) return;
    try {
      await sendFrom(received, photo, options);
      return;
    } catch (error) {
      // What the server has is not what we thought: it is asked, and told the rest.
      if (wireErrorOf(error)?.code !== 'conflict' || restarts >= MOST_RESTARTS) throw error;
    }
  }
}

function announce(photo: OutgoingPhoto, of: AnnouncePhotoInput['of'], options: SendPhotoOptions) {
  const { url = '', headers = () => ({}) } = options.to ?? {};
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        headers: () => ({ ...headers(), 'x-app': '1', 'x-person': options.userId }),
      }),
    ],
  });
  const { id, sha256, bytes, contentType, about } = photo;
  return client.photos.announce.mutate(
    {
      operationId: uuidv7(),
      id,
      of,
      sha256,
      bytes,
      // The server refuses any other, in words.
      contentType: contentType as AnnouncePhotoInput['contentType'],
      ...aboutPhoto(about),
      takenAt: new Date(timeOfUuidv7(id)).toISOString(),
    },
    { signal: options.signal },
  );
}

async function sendFrom(received: number, photo: OutgoingPhoto, options: SendPhotoOptions): Promise<void> {
  let offset = received;
  // At least once: where all bytes are there, an empty piece has the server look at them again.
  for (;;) {
    const progress = await put(photo, offset, photo.data.slice(offset, offset + PIECE), options);
    options.onProgress?.(progress.received);
    if (progress.stored) return;
    if (progress.received <= offset) throw new TypeError('the server takes nothing');
    offset = progress.received;
  }
}

async function put(
  { id }: OutgoingPhoto,
  offset: number,
  piece: Blob,
  { userId, signal, to }: SendPhotoOptions,
): Promise<PhotoProgress> {
  const { url = '', headers = () => ({}) } = to ?? {};
  const response = await fetch(`${url}${photoUrl(id)}`, {
    method: 'PUT',
    body: piece,
    signal,
    headers: {
      ...headers(),
      'x-app': '1',
      'x-person': userId,
      'content-type': 'application/octet-stream',
      [UPLOAD_OFFSET]: String(offset),
    },
  });
  if (response.ok) return (await response.json()) as PhotoProgress; // The server's one answer.
  const refusal: unknown = await response.json().catch(() => undefined);
  throw new UploadError(wireErrorOf(Reflect.get(Object(refusal), 'error')), response.status);
}
