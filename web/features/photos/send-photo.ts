import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '#server/boot/router.ts';
import type { WireError } from '#shared/errors.ts';
import type { AnnouncePhotoInput, PhotoProgress } from '#shared/features/photos/photos.ts';
import { photoUrl, UPLOAD_OFFSET } from '#shared/features/photos/photos.vocabulary.ts';
import { timeOfUuidv7, uuidv7 } from '#shared/ids.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import { aboutPhoto } from './taken-photo.ts';

/** Bytes sent in one request: few enough to get through a bad connection, many enough to keep the overhead low. */
const PIECE = 128 * 1024;
/** Conflicting offsets tolerated before the upload fails. */
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
  /** Id of the photographer; the server refuses the photo from any other person. */
  userId: string;
  signal: AbortSignal;
  onProgress?: (sentBytes: number) => void;
  /** For clients that are not a page: the server's URL, and headers that a browser would add. */
  to?: { url: string; headers: () => Record<string, string> };
};

/** A refused upload, in the shape of a refused procedure. */
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
 * Uploads a photo, continuing where an earlier attempt stopped. Resolves once the server has all bytes and their hash
 * matches; if the server already has them, after a single request.
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
      // The server has a different number of bytes than assumed: asks for its offset and continues from there.
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
      // The cast: the server refuses other types with a message.
      contentType: contentType as AnnouncePhotoInput['contentType'],
      ...aboutPhoto(about),
      takenAt: new Date(timeOfUuidv7(id)).toISOString(),
    },
    { signal: options.signal },
  );
}

async function sendFrom(received: number, photo: OutgoingPhoto, options: SendPhotoOptions): Promise<void> {
  let offset = received;
  // Sends at least one chunk: if the server already has all bytes, an empty chunk makes it verify them again.
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
  if (response.ok) return (await response.json()) as PhotoProgress; // The cast is safe: the server's answer to an upload.
  const refusal: unknown = await response.json().catch(() => undefined);
  throw new UploadError(wireErrorOf(Reflect.get(Object(refusal), 'error')), response.status);
}
