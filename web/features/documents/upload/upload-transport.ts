import { genUploader } from 'uploadthing/client';
import type { FileRouter } from 'uploadthing/types';
import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { APP_HEADERS } from '../../../lib/trpc/early-requests.ts';
import { cancelUpload, type HeldPiece, heldBytes, heldPieces, resumePut } from './put-rest.ts';
import { withStallTimeout } from './stall.ts';
import { thumbnailFor } from './thumbnails/thumbnail-for.ts';
import { cut, failureOf } from './upload-address.ts';
import {
  type Announced,
  type Sendable,
  type SendOptions,
  type StoredUpload,
  UploadError,
  type UploadInput,
  type UploadTransport,
} from './upload-types.ts';

const SLUG = 'document';
/** The type of the server's upload route, written out here: the web code imports only tRPC's router type from the server. */
type Routes = {
  [SLUG]: Omit<FileRouter[string], '$types'> & {
    $types: { input: UploadInput; output: StoredUpload; errorShape: unknown };
  };
};

const headersOf = (userId: string) => ({ ...APP_HEADERS, 'x-person': userId });

const ROUTE = '/api/uploadthing';

/**
 * Uploads to our own ingest. UploadThing's client makes the first try; it has no timeout, and cannot resume after a
 * reload. All later tries are our own requests to the same address.
 * @param userId the person who chose the files; the server refuses them from anyone else
 */
export function createUploadTransport(userId: string): UploadTransport {
  const headers = headersOf(userId);

  async function begin(upload: Sendable, options: SendOptions): Promise<StoredUpload> {
    const { file } = upload;
    await assertReadable(file);
    const input = await inputOf(upload);
    /** The server's refusal; the error of UploadThing's client has less detail. */
    let refusal: UploadError | undefined;
    const watched = async (url: RequestInfo | URL | string, init?: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      if (init?.method !== 'POST') return answer;
      const body: unknown = await answer
        .clone()
        .json()
        .catch(() => undefined);
      if (answer.ok) options.onAddress(addressIn(body));
      else refusal = failureOf(answer.status, body, 'route');
      return answer;
    };
    const uploader = genUploader<Routes>({ url: ROUTE, fetch: watched });
    return withStallTimeout(options.signal, async (signal, alive) => {
      try {
        const running = await uploader.createUpload(SLUG, {
          files: [file],
          input,
          headers,
          onUploadProgress({ loaded }) {
            alive(loaded >= file.size);
            options.onProgress(Math.min(file.size, loaded));
          },
        });
        const pause = () => running.pauseUpload();
        signal.addEventListener('abort', pause);
        if (signal.aborted) pause();
        // An empty file reports no progress.
        if (file.size === 0) alive(true);
        const { serverData } = await running
          .done(file)
          .finally(() => signal.removeEventListener('abort', pause));
        return storedIn({ serverData });
      } catch (error) {
        signal.throwIfAborted();
        // If the route did not refuse, the transfer failed. `cut` causes a retry by our own request, which gets the reason.
        throw refusal ?? (error instanceof UploadError ? error : cut(error));
      }
    });
  }

  async function resume(
    upload: Sendable,
    known: string | undefined,
    { signal: outer, onAddress, onProgress }: SendOptions,
  ): Promise<StoredUpload> {
    const { file } = upload;
    await assertReadable(file);
    return withStallTimeout(outer, async (signal, alive) => {
      const address = known ?? (await issueAddress(upload, headers, signal));
      onAddress(address);
      const held = await heldBytes(address, signal);
      onProgress(held);
      alive(held >= file.size);
      const answer = await resumePut(address, file, held, {
        signal,
        onProgress(sent) {
          alive(sent >= file.size);
          onProgress(sent);
        },
      });
      return storedIn(answer);
    });
  }

  function cancel(upload: Announced, known: string | undefined): Promise<{ stored: boolean }> {
    return withStallTimeout(new AbortController().signal, async (signal) =>
      cancelUpload(known ?? (await issueAddress(upload, headers, signal)), signal),
    );
  }

  return { begin, resume, cancel };
}

/**
 * Requests the number of bytes that the server has of an upload of an earlier page, and their hashes. Only for uploads of
 * the signed-in person. Rejects with an UploadError.
 */
export async function requestHeldPieces(
  upload: Announced & { userId: string },
  file: File,
): Promise<{ received: number; pieces: HeldPiece[] }> {
  return withStallTimeout(new AbortController().signal, async (signal) => {
    const address = await issueAddress({ ...upload, file }, headersOf(upload.userId), signal);
    return heldPieces(address, signal);
  });
}

/** Requests an address without sending bytes. For an upload known to the server, returns a new address of that upload. */
async function issueAddress(
  upload: Announced,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const { name, bytes: size, lastModified, file } = upload;
  const type = file?.type ?? '';
  const answer = await fetch(`${ROUTE}?actionType=upload&slug=${SLUG}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ files: [{ name, size, type, lastModified }], input: await inputOf(upload) }),
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw cut(cause);
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw failureOf(answer.status, body, 'route');
  return addressIn(body);
}

async function inputOf({ id, target, file, lastModified, onSameName }: Announced): Promise<UploadInput> {
  const { buildingId, place, proofOf } = target;
  const thumbnail = file && (await thumbnailFor(file));
  return {
    ...{ uploadId: id, buildingId, place, lastModified, onSameName },
    ...(thumbnail !== undefined && { thumbnail }),
    ...(proofOf !== undefined && { proofOf }),
  };
}

/** @throws UploadError if the file was changed, moved or removed since it was chosen, and can no longer be read */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch (cause) {
    throw new UploadError('refused', uploadMessages.changed, { cause });
  }
}

function addressIn(body: unknown): string {
  const first: unknown = Array.isArray(body) ? body[0] : undefined;
  const url: unknown = Reflect.get(Object(first), 'url');
  if (typeof url !== 'string') throw cut();
  return url;
}

function storedIn(body: unknown): StoredUpload {
  const data: unknown = Reflect.get(Object(body), 'serverData');
  // A proxy answered, or the server failed after the last byte: the next try finds out whether the file is stored.
  if (typeof Reflect.get(Object(data), 'documentId') !== 'string')
    throw new UploadError('fault', uploadMessages.failed);
  // The cast is safe: this is the server's response for a stored document.
  return data as StoredUpload;
}
